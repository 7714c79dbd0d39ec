import { useMemo } from "react";
import { partsBeside, type ToolCallView, toTodos } from "../../src/client/index.ts";
import { DiffView, FileChanges } from "../../src/react/index.ts";
import { Labelled, Source } from "./source.tsx";
import { TodoList } from "./todo-list.tsx";

/** What a tool was given, in the form that tells most: a command, a change, or JSON. */
export function ToolInput({ call }: { call: ToolCallView }) {
  const { name, input, changes, placeholder } = call;
  const parts = useMemo(() => partsBeside(input, changes), [input, changes]);
  const todos = useMemo(() => toTodos(name, input), [name, input]);
  if (placeholder) return null;
  if (todos) return <TodoList todos={todos} />;
  const rest = parts.map((part, at) => (
    <Labelled key={at} label={part.label}>
      {"change" in part ? (
        <DiffView change={part.change} />
      ) : (
        <Source
          text={part.text}
          what={part.label.toLowerCase()}
          prompt={part.label === "Command"}
        />
      )}
    </Labelled>
  ));
  return (
    <>
      {changes && <FileChanges changes={changes} />}
      {rest}
    </>
  );
}
