package roll.config.dialect;

import org.jspecify.annotations.Nullable;

/** The keys of another system in a configuration, with that system's defaults of the others. */
public interface WrittenKeys {
  /** Whether {@code key} was written, by this name or an alias. */
  boolean given(String key);

  /** Returns the written value of {@code key} or its default; null if there is neither. */
  @Nullable Object value(String key);

  /** Returns the name by which {@code key} was written, or {@code key}. */
  String written(String key);

  /** Returns the start of an error message: {@code place: key}. */
  String where(String key);
}
