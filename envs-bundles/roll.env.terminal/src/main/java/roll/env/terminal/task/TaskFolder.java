package roll.env.terminal.task;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import com.google.gson.ToNumberPolicy;
import com.google.gson.reflect.TypeToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.option.PlainFile;
import roll.api.option.UserException;
import roll.env.terminal.task.TaskStart.FileCopy;
import roll.env.terminal.task.TerminalTask.TaskVerifier;

/**
 * Reads a task in Harbor's format: {@code task.toml}, {@code instruction.md}, {@code environment/},
 * {@code tests/test.sh} and, for demonstrations, {@code solution/}. Links are not followed: a task
 * has no access to other files of this machine.
 */
public final class TaskFolder {
  private static final Gson JSON =
      new GsonBuilder().setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE).create();

  private final Path folder;
  private final @Nullable Set<String> images;

  /**
   * Creates a reader.
   *
   * @param folder of the task
   * @param images images whose programs this machine has, without tags, or null if workspaces begin
   *     as their images
   */
  public TaskFolder(Path folder, @Nullable Set<String> images) {
    this.folder = folder;
    this.images = images == null ? null : Set.copyOf(images);
  }

  /** Returns whether {@code folder} has a task. */
  public static boolean isTask(Path folder) {
    return Files.exists(folder.resolve("task.toml"), LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Reads the task.
   *
   * @throws UserException naming the file that is missing or wrong, or what a workspace cannot do
   */
  public TerminalTask read() {
    TaskToml toml = TaskToml.parse(folder.resolve("task.toml"), text("task.toml"));
    String instruction = text("instruction.md").strip();
    text("tests/test.sh");
    if (Files.exists(folder.resolve("environment/docker-compose.yaml"))) {
      throw wrong("environment/docker-compose.yaml", "several containers are not supported");
    }
    Map<String, String> environment = new LinkedHashMap<>();
    TaskStart start = start(toml, environment);
    environment.putAll(toml.environment());
    return new TerminalTask(
        String.valueOf(folder.getFileName()),
        instruction,
        start,
        environment,
        toml.agentTime(),
        new TaskVerifier(folder.resolve("tests"), toml.verifierEnvironment(), toml.verifierTime()),
        demonstration());
  }

  /** Returns the start of the workspace and adds the variables of its Dockerfile. */
  private TaskStart start(TaskToml toml, Map<String, String> environment) {
    String name = "environment/Dockerfile";
    String image = toml.image();
    Path file = folder.resolve(name);
    boolean built = image != null && images == null;
    if (built || !Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      if (image == null) {
        throw wrong(name, "missing, and task.toml has no docker_image");
      }
      return new TaskStart(image, null, List.of());
    }
    try {
      Dockerfile docker = Dockerfile.parse(text(name));
      if (images != null && !images.contains(base(docker.image()))) {
        throw new Dockerfile.Unsupported(
            1, "the programs of " + docker.image() + " are not among " + images);
      }
      List<FileCopy> copies = new ArrayList<>();
      for (Dockerfile.Copy copy : docker.copies()) {
        add(copy, docker.directory(), copies);
      }
      environment.putAll(docker.environment());
      return new TaskStart(images == null ? docker.image() : null, docker.directory(), copies);
    } catch (Dockerfile.Unsupported e) {
      if (image != null) { // a provider without images refuses it
        return new TaskStart(image, null, List.of());
      }
      throw wrong(name, String.valueOf(e.getMessage()));
    }
  }

  /** Returns the name of an image without registry, owner, tag and digest. */
  private static String base(String image) {
    return image.substring(image.lastIndexOf('/') + 1).replaceAll("[:@].*", "");
  }

  private void add(Dockerfile.Copy copy, @Nullable String directory, List<FileCopy> copies)
      throws Dockerfile.Unsupported {
    Path context = folder.resolve("environment").normalize();
    Path root = Path.of(directory == null ? "/" : directory);
    Path here = Path.of(copy.directory() == null ? "/" : copy.directory());
    Path target = here.resolve(copy.target()).normalize();
    if (!target.startsWith(root) || directory == null) {
      throw new Dockerfile.Unsupported(copy.line(), "COPY to " + target + ", outside of WORKDIR");
    }
    boolean into = copy.target().endsWith("/") || copy.sources().size() > 1;
    for (String name : copy.sources()) {
      Path source = context.resolve(name).normalize();
      if (!source.startsWith(context) || !isPlain(source)) {
        throw new Dockerfile.Unsupported(
            copy.line(), "COPY of " + name + ", which is no file or folder of environment/");
      }
      boolean file = Files.isRegularFile(source, LinkOption.NOFOLLOW_LINKS);
      Path place =
          file && (into || target.equals(root)) ? target.resolve(source.getFileName()) : target;
      copies.add(new FileCopy(source, root.relativize(place).toString()));
    }
  }

  private static boolean isPlain(Path file) {
    return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
        || Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS);
  }

  /** Returns {@code solution/demonstration.json}, else the script of the solution as one call. */
  private List<Object> demonstration() {
    String calls = "solution/demonstration.json";
    if (Files.exists(folder.resolve(calls), LinkOption.NOFOLLOW_LINKS)) {
      try {
        List<Object> read = JSON.fromJson(text(calls), new TypeToken<List<Object>>() {}.getType());
        if (read != null && !read.contains(null)) {
          return read;
        }
      } catch (JsonParseException e) {
        throw wrong(calls, "not a JSON list: " + e.getMessage());
      }
      throw wrong(calls, "not a JSON list");
    }
    String script = "solution/solve.sh";
    return Files.exists(folder.resolve(script), LinkOption.NOFOLLOW_LINKS)
        ? List.of(Map.of("tool", "shell", "arguments", Map.of("command", text(script))), "done")
        : List.of();
  }

  private String text(String name) {
    Path file = folder.resolve(name);
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw wrong(name, Files.exists(file) ? "not a regular file" : "missing");
    }
    try {
      return PlainFile.text(file);
    } catch (IOException e) {
      throw wrong(name, "cannot be read as UTF-8: " + e.getMessage());
    }
  }

  private UserException wrong(String name, String problem) {
    return new UserException(folder.resolve(name) + ": " + problem);
  }
}
