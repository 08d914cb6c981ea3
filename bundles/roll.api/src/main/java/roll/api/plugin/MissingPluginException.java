package roll.api.plugin;

import roll.api.option.UserException;

/** A plugin that is named was not there, or could not be had, at the moment it was asked for. */
public final class MissingPluginException extends UserException {
  private static final long serialVersionUID = 1L;
  private final Class<?> type;
  private final String kind;
  private final String name;

  /** Of the service of {@code type} whose property {@code kind} is {@code name}. */
  public MissingPluginException(String message, Class<?> type, String kind, String name) {
    super(message);
    this.type = type;
    this.kind = kind;
    this.name = name;
  }

  /** Whether it is there by now and can be had. */
  public boolean returned(Plugins plugins) {
    try (Lease<?> lease = plugins.lease(type, kind, name)) {
      return lease != null;
    }
  }
}
