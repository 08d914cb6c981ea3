package roll.shell.trajectory;

import com.google.gson.Gson;
import com.google.gson.JsonParseException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.shell.terminal.Json;
import roll.text.Suggestion;

/** The trajectories of a file of JSON lines by id. */
final class TrajectoryFile {
  private static final Gson GSON = new Gson();
  private static final int FEW = 3;

  private final Path file;
  private final Map<String, TrajectoryLine> byId = new LinkedHashMap<>();

  private TrajectoryFile(Path file) {
    this.file = file;
  }

  /**
   * Reads {@code file}, skipping the header line of a dumped rollout.
   *
   * @throws UserException if it cannot be read, or with the line that is invalid
   */
  static TrajectoryFile read(Path file) {
    if (Files.isDirectory(file)) {
      throw new UserException("trajectory: '%s' is a folder%s".formatted(file, newest(file)));
    }
    if (!Files.isRegularFile(file)) {
      throw new UserException("trajectory: no file '%s'%s".formatted(file, near(file)));
    }
    TrajectoryFile read = new TrajectoryFile(file);
    int number = 0;
    try (BufferedReader in = Files.newBufferedReader(file)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        read.add(file + ":" + ++number, line);
      }
    } catch (IOException e) {
      throw new UserException(
          "trajectory: '%s' cannot be read (%s)".formatted(file, e.getClass().getSimpleName()), e);
    }
    if (read.byId.isEmpty()) {
      throw new UserException("trajectory: '%s' holds no trajectories".formatted(file));
    }
    return read;
  }

  private void add(String where, String text) {
    Map<String, @Nullable Object> object = Json.object("trajectory: " + where, text);
    if (object.containsKey("rollout")) {
      return;
    }
    if (!(object.get("id") instanceof String id)) {
      throw new UserException("trajectory: " + where + ": is not a trajectory: 'id' is missing");
    }
    try {
      byId.put(id, GSON.fromJson(text, TrajectoryLine.class).complete());
    } catch (JsonParseException e) {
      throw new UserException(
          "trajectory: " + where + ": is not a trajectory: " + Json.reason(e), e);
    } catch (IllegalArgumentException e) { // wrong type of a field
      throw new UserException(
          "trajectory: " + where + ": is not a trajectory: " + Json.reason(e), e);
    }
  }

  /** Returns the folder of the file. */
  Path folder() {
    Path parent = file.getParent();
    return parent == null ? Path.of(".") : parent;
  }

  /** Returns the trajectories by id, in file order. */
  Map<String, TrajectoryLine> all() {
    return byId;
  }

  /**
   * Returns the trajectory {@code id}, or the only one with that prefix; the first one for null.
   *
   * @throws UserException with similar ids
   */
  TrajectoryLine find(@Nullable String id) {
    if (id == null) {
      return byId.values().iterator().next();
    }
    TrajectoryLine found = byId.get(id);
    if (found != null) {
      return found;
    }
    List<String> begun = byId.keySet().stream().filter(known -> known.startsWith(id)).toList();
    if (begun.size() == 1) {
      return byId.getOrDefault(begun.getFirst(), byId.values().iterator().next());
    }
    throw new UserException(
        begun.isEmpty()
            ? "trajectory: no trajectory '%s' in %s (%d: %s)%s"
                .formatted(id, file, byId.size(), some(byId.keySet().stream()), nearest(id))
            : "trajectory: '%s' is the prefix of %d ids in %s: %s"
                .formatted(id, begun.size(), file, some(begun.stream())));
  }

  /** Returns the first few of {@code names}. */
  private static String some(Stream<String> names) {
    List<String> few = names.limit(FEW + 1L).toList();
    return few.stream().limit(FEW).collect(Collectors.joining(", "))
        + (few.size() > FEW ? ", …" : "");
  }

  private String nearest(String id) {
    return Suggestion.near(id, byId.keySet());
  }

  private static String near(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    Path name = file.getFileName();
    return folder == null || name == null ? "" : Suggestion.near(name.toString(), names(folder));
  }

  private static String newest(Path folder) {
    Path inner = folder.resolve("trajectories");
    Path source = Files.isDirectory(inner) ? inner : folder;
    List<String> files = names(source);
    return files.isEmpty()
        ? " without trajectories"
        : "; files in it: " + some(files.stream().map(name -> source.resolve(name).toString()));
  }

  /** Returns the .jsonl files in {@code folder}, longest names first: step-10 before step-9. */
  private static List<String> names(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> name.endsWith(".jsonl"))
          .sorted(
              Comparator.comparingInt(String::length)
                  .thenComparing(Comparator.naturalOrder())
                  .reversed())
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }
}
