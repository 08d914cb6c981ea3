package roll.text.call;

import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ProviderType;

/** A part of a model's output; the {@linkplain #text texts} of all parts are the whole output. */
@ProviderType
public sealed interface HermesPart {
  /** Returns the text of the part. */
  String text();

  /** Text of a model's output, including thoughts. */
  record Words(String text) implements HermesPart {}

  /**
   * From {@code <tool_call>} to {@code </tool_call>}, or to the end of the text.
   *
   * @param between text between the tags; null without an end tag
   */
  record Block(String text, @Nullable String between) implements HermesPart {}
}
