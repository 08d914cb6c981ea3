package roll.env.terminal.generated;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A generated task.
 *
 * @param kind name of its kind
 * @param files at the beginning, by path
 * @param tests files beside the task, with {@code test.sh}
 * @param demonstration calls of an expert, then an answer
 */
public record GeneratedTask(
    String kind,
    String instruction,
    Map<String, String> files,
    Map<String, String> tests,
    List<Object> demonstration) {
  private static final Gson JSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

  private static final Set<String> CHANGES = Set.of("write_file", "edit_file");

  private static final String DOCKERFILE =
      """
      FROM python:3.13-slim
      WORKDIR /app
      COPY files/ ./
      """;

  /** Returns a call of a demonstration; {@code arguments} are names and values in turn. */
  static Map<String, Object> call(String tool, String... arguments) {
    Map<String, Object> given = new LinkedHashMap<>();
    for (int i = 0; i < arguments.length; i += 2) {
      given.put(arguments[i], arguments[i + 1]);
    }
    Map<String, Object> call = new LinkedHashMap<>();
    call.put("tool", tool);
    call.put("arguments", given);
    return call;
  }

  /** Returns this task with a demonstration that changes no file, and so fails. */
  GeneratedTask unfinished() {
    List<Object> looking = new ArrayList<>(demonstration);
    looking.removeIf(
        turn ->
            turn instanceof Map<?, ?> call && CHANGES.contains(String.valueOf(call.get("tool"))));
    return new GeneratedTask(kind, instruction, files, tests, List.copyOf(looking));
  }

  /** Writes the task to {@code folder} in Harbor's format, with its demonstration. */
  public void write(Path folder) {
    try {
      write(
          folder,
          "task.toml",
          """
          version = "1.0"

          [metadata]
          category = "%s"

          [agent]
          timeout_sec = 120.0

          [verifier]
          timeout_sec = 20.0

          [environment]
          cpus = 1
          memory_mb = 512
          """
              .formatted(kind));
      write(folder, "instruction.md", instruction + "\n");
      write(folder, "environment/Dockerfile", DOCKERFILE);
      for (Map.Entry<String, String> file : files.entrySet()) {
        write(folder, "environment/files/" + file.getKey(), file.getValue());
      }
      for (Map.Entry<String, String> file : tests.entrySet()) {
        write(folder, "tests/" + file.getKey(), file.getValue());
      }
      write(folder, "solution/demonstration.json", JSON.toJson(demonstration) + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(Path folder, String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, text);
  }
}
