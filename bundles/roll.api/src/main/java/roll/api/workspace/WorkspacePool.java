package roll.api.workspace;

import org.osgi.annotation.versioning.ConsumerType;

/** A bounded number of workspaces. Called from many threads at once. */
@ConsumerType
public interface WorkspacePool extends AutoCloseable {
  /**
   * Returns a workspace whose files are those of {@code template}, which is not changed; waits
   * while all are in use. The caller closes it.
   *
   * @throws roll.api.option.UserException if the template is missing or needs what this provider
   *     does not have
   * @throws InterruptedException if interrupted while waiting
   */
  Workspace take(WorkspaceTemplate template) throws InterruptedException;

  /** Ends all commands and deletes all workspaces. */
  @Override
  void close();
}
