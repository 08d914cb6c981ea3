package roll.core.plugin;

import java.io.UncheckedIOException;
import roll.api.option.UserException;
import roll.text.OneLine;

/**
 * Thrown when a plugin failed or broke its contract; the message names the plugin and its bundle.
 * Its exception is kept as text: the exception itself might throw when printed, and would keep the
 * bundle in memory.
 */
public final class PluginException extends UserException {
  private static final long serialVersionUID = 1;

  private final String stack;
  private final boolean ofTheMachine;

  PluginException(String message, Throwable thrown) {
    super(OneLine.of(message));
    this.stack = OneLine.stack(thrown);
    this.ofTheMachine = thrown instanceof UncheckedIOException;
  }

  /** The stack trace of the plugin's exception. */
  public String stack() {
    return stack;
  }

  /** Whether a file could not be read or written, which is no fault of the plugin. */
  public boolean ofTheMachine() {
    return ofTheMachine;
  }
}
