package roll.api.workspace;

/**
 * A file that differs from the template.
 *
 * @param path relative to the workspace, with {@code /}
 */
public record FileChange(String path, Kind kind) {
  /** Kind of a change. */
  public enum Kind {
    /** The template has no such file. */
    ADDED,
    /** Content, mode, or type differs. */
    MODIFIED,
    /** The workspace has no such file. */
    DELETED
  }
}
