/**
 * Two ends of an ordered pipe of text frames. A WebSocket is one; two objects in one process are
 * another. Whoever holds an end sets its callbacks before frames can arrive.
 */
export interface FrameChannel {
  /**
   * Hands one frame to the other side.
   *
   * @param sent called when the frame has left this process (or reached the other end), so that a
   * sender can pace itself. Never called for a frame that was dropped by a close.
   */
  send(frame: string, sent?: () => void): void;
  close(code?: number, reason?: string): void;
  onFrame?: (frame: string) => void;
  onClose?: (code: number, reason: string) => void;
}
