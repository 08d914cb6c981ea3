package roll.template.jinja.value;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Thrown if a template cannot be parsed, or fails while it is rendered. */
public final class TemplateException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  private final int line;
  private final boolean raised;

  /** Creates an exception whose template line is not known yet. */
  public TemplateException(String message) {
    this(message, 0, false, null);
  }

  private TemplateException(String message, int line, boolean raised, @Nullable Throwable cause) {
    super(message, cause);
    this.line = line;
    this.raised = raised;
  }

  /** Creates an error that the template raised by {@code raise_exception}. */
  public static TemplateException raised(String message) {
    return new TemplateException(message, 0, true, null);
  }

  /** Returns the same exception with {@code line}, if it had none. */
  public TemplateException at(int place) {
    return line > 0 ? this : new TemplateException(getMessage(), place, raised, this);
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }

  /** Returns the template line of the error, from 1. */
  public int line() {
    return line;
  }

  /** Whether the template itself raised the error, by {@code raise_exception}. */
  public boolean raised() {
    return raised;
  }
}
