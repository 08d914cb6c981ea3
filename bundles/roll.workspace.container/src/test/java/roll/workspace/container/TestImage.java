package roll.workspace.container;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import roll.api.option.UserException;
import roll.api.workspace.WorkspaceLimits;

/** An image with a shell and the programs of this machine that scripts need. */
final class TestImage {
  static final String NAME = "localhost/roll-test:1";

  private static final List<String> PROGRAMS =
      List.of(
          "sh",
          "bash",
          "cat",
          "chmod",
          "env",
          "find",
          "grep",
          "head",
          "ln",
          "ls",
          "mkdir",
          "mkfifo",
          "readlink",
          "rm",
          "seq",
          "sha256sum",
          "sleep",
          "stat",
          "tail",
          "touch",
          "yes");

  private static final Pattern LIBRARY = Pattern.compile("(/\\S+) \\(0x");

  /** Options of {@code run}; the later are for machines that may not raise limits. */
  private static final List<String> WORDS =
      List.of("", "--runtime=runc --ulimit=nofile=1024:1024 --ulimit=nproc=1000:1000");

  private TestImage() {}

  /**
   * Makes the image and returns options by which this machine runs it; otherwise skips the test.
   */
  static EngineOptions options(Path folder) throws IOException, InterruptedException {
    Optional<EngineOptions> found = Optional.empty();
    for (String engine : List.of("podman", "docker")) {
      for (String words : WORDS) {
        EngineOptions options =
            EngineOptions.of(
                name -> name.endsWith("engine") ? engine : name.endsWith("options") ? words : NAME);
        if (found.isEmpty() && runs(options, folder)) {
          found = Optional.of(options);
        }
      }
    }
    assumeTrue(found.isPresent(), "skipped: no podman or docker that runs containers");
    return found.orElseThrow();
  }

  private static boolean runs(EngineOptions options, Path folder) throws InterruptedException {
    try {
      Engine engine = options.engine();
      Path root = folder.resolve("root");
      if (!Files.exists(root)) {
        fill(root);
      }
      Process tar = new ProcessBuilder("tar", "-C", root.toString(), "-c", ".").start();
      engine.run(
          List.of("import", "-", NAME), tar.getInputStream()::transferTo, in -> in.readAllBytes());
      Container.start(
              engine, "roll-test-" + ProcessHandle.current().pid(), words(options), NAME, "")
          .close();
      return true;
    } catch (IOException | UserException e) {
      return false;
    }
  }

  private static List<String> words(EngineOptions options) {
    List<String> words = new ArrayList<>(Container.options(WorkspaceLimits.STANDARD));
    words.addAll(options.words());
    return words;
  }

  private static void fill(Path root) throws IOException, InterruptedException {
    for (String folder : List.of("tmp", "etc", "bin")) {
      Files.createDirectories(root.resolve(folder));
    }
    Files.writeString(root.resolve("etc/passwd"), "root:x:0:0:root:/root:/bin/sh\n");
    for (String program : PROGRAMS) {
      Path file = Path.of("/usr/bin", program).toRealPath();
      copy(file, root.resolve("bin").resolve(program));
      Process ldd = new ProcessBuilder("ldd", file.toString()).start();
      String libraries = new String(ldd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      for (String library : LIBRARY.matcher(libraries).results().map(r -> r.group(1)).toList()) {
        copy(Path.of(library), root.resolve(library.substring(1)));
      }
    }
  }

  private static void copy(Path file, Path target) throws IOException {
    if (!Files.exists(target)) {
      Files.createDirectories(target.getParent());
      Files.copy(file, target);
    }
  }
}
