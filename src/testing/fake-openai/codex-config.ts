/**
 * The settings of a Codex that speaks to nobody but the model at this address. The model's name is
 * one that Codex knows, because only such a one gets all of its tools. Each feature that is off
 * would look for something on the internet.
 */
export function codexConfig(url: string): string {
  return `model = "gpt-5.5"
model_provider = "scripted"
check_for_update_on_startup = false
suppress_unstable_features_warning = true

[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 0
stream_max_retries = 0

[analytics]
enabled = false

[features]
plugins = false
apps = false
remote_plugin = false
plugin_sharing = false
`;
}
