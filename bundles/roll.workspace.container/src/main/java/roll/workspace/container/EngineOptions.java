package roll.workspace.container;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;

/**
 * The options of the provider.
 *
 * @param program of the engine, or empty for the first of {@link #KNOWN} on the PATH
 * @param words options of the engine's {@code run}
 * @param image of workspaces whose template names none
 */
record EngineOptions(String program, List<String> words, String image) {
  private static final List<String> KNOWN = List.of("podman", "docker");
  private static final String PREFIX = "roll.workspace.container.";

  /** Reads the framework's {@code properties}. */
  static EngineOptions of(UnaryOperator<@Nullable String> properties) {
    String words = Objects.requireNonNullElse(properties.apply(PREFIX + "options"), "");
    return new EngineOptions(
        Objects.requireNonNullElse(properties.apply(PREFIX + "engine"), ""),
        Stream.of(words.split(" ")).filter(word -> !word.isEmpty()).toList(),
        Objects.requireNonNullElse(properties.apply(PREFIX + "image"), "debian:stable-slim"));
  }

  /**
   * Returns the engine.
   *
   * @throws UserException if there is none on this machine
   */
  Engine engine() {
    List<String> names = program.isEmpty() ? KNOWN : List.of(program);
    return names.stream()
        .flatMap(name -> found(name).stream())
        .findFirst()
        .map(Engine::new)
        .orElseThrow(
            () ->
                new UserException(
                    "the workspace 'container' needs %s, which is missing; set -D%sengine"
                        .formatted(String.join(" or ", names), PREFIX)));
  }

  private static Optional<Path> found(String name) {
    return Stream.of(
            Objects.requireNonNullElse(System.getenv("PATH"), "").split(File.pathSeparator))
        .map(folder -> Path.of(folder).resolve(name))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
