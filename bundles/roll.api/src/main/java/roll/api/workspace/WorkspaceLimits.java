package roll.api.workspace;

import roll.api.sandbox.Isolation;

/**
 * Resource limits of a workspace.
 *
 * @param memory memory limit of a command in bytes
 * @param processes maximum number of processes and threads at a time
 * @param disk maximum number of bytes that may be written
 * @param network whether commands reach the network
 * @param isolation required isolation
 */
public record WorkspaceLimits(
    long memory, int processes, long disk, boolean network, Isolation isolation) {
  /** 512 MiB of memory, 128 processes, 256 MiB of disk, no network, isolation required. */
  public static final WorkspaceLimits STANDARD =
      new WorkspaceLimits(512L << 20, 128, 256L << 20, false, Isolation.REQUIRED);
}
