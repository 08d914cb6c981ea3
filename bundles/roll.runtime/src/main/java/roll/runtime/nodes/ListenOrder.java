package roll.runtime.nodes;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where others can join a run.
 *
 * @param run its name, for people
 * @param folder its output folder, which keeps what nodes know it by when it is resumed
 * @param at an address or a name of this machine, with {@code :port} or without
 * @param plain whether to do without TLS: everything can be read, and changed, by whoever is on the
 *     network
 * @param token that {@link Nodes#prepare} gave for this folder; null for a new one
 */
public record ListenOrder(
    String run, Path folder, String at, boolean plain, @Nullable String token) {
  /** With a new token. */
  public ListenOrder(String run, Path folder, String at, boolean plain) {
    this(run, folder, at, plain, null);
  }
}
