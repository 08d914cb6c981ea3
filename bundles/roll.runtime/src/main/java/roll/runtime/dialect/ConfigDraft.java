package roll.runtime.dialect;

import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;

/**
 * A configuration before its keys are checked, for a {@link ConfigDialect} to rewrite.
 *
 * @param tree its keys and values, as YAML has them; to be changed
 * @param origins file and line, or override, of a key by its path
 * @param moved receives a path of ours and the path that was written instead of it
 * @param notices receives lines for the user
 * @param environment variables of the environment by name, null for others
 */
public record ConfigDraft(
    Map<String, @Nullable Object> tree,
    Function<String, String> origins,
    BiConsumer<String, String> moved,
    Consumer<String> notices,
    Function<String, @Nullable String> environment) {
  /** Returns file and line, or override, of the key {@code path}. */
  public String where(String path) {
    return origins.apply(path);
  }

  /** Adds a line for the user. */
  public void notice(String line) {
    notices.accept(line);
  }

  /** Returns the error for the invalid value of {@code path}. */
  public UserException wrong(String path, String problem) {
    return new UserException(where(path) + ": " + path + ": " + problem);
  }
}
