package roll.text.call;

import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ProviderType;

/** A part of what a model writes; the {@linkplain #text texts} of all parts are the whole. */
@ProviderType
public sealed interface HermesPart {
  /** As it was written. */
  String text();

  /** Words, thoughts among them. */
  record Words(String text) implements HermesPart {}

  /**
   * From {@code <tool_call>} to {@code </tool_call>}, or to the end of the text.
   *
   * @param between what is between the two; null where the end is missing
   */
  record Block(String text, @Nullable String between) implements HermesPart {}
}
