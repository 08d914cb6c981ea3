package roll.api.plugin;

import roll.api.option.UserException;

/** A named plugin was not available when it was requested. */
public final class MissingPluginException extends UserException {
  private static final long serialVersionUID = 1L;
  private final Class<?> type;
  private final String kind;
  private final String name;

  /**
   * Creates the exception for the missing service of {@code type} whose property {@code kind} is
   * {@code name}.
   */
  public MissingPluginException(String message, Class<?> type, String kind, String name) {
    super(message);
    this.type = type;
    this.kind = kind;
    this.name = name;
  }

  /** Whether the plugin is available now. */
  public boolean returned(Plugins plugins) {
    try (Lease<?> lease = plugins.lease(type, kind, name)) {
      return lease != null;
    }
  }
}
