package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Packages of the npm registry in a folder of a test, and scripts that use them. */
public final class NodePackages {
  private static final int MINUTES = 8;

  /** Errors of npm without a network. */
  private static final Pattern OFFLINE =
      Pattern.compile("ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|E40[37]");

  private final Path folder;

  private NodePackages(Path folder) {
    this.folder = folder;
  }

  /**
   * Installs {@code packages}, such as {@code openai@6.30.1}, into {@code folder}; their own
   * installation scripts do not run. The test is skipped where npm or its registry is missing.
   */
  public static NodePackages install(Path folder, String... packages)
      throws IOException, InterruptedException {
    String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
    assumeTrue(
        List.of(path.split(File.pathSeparator, -1)).stream()
            .anyMatch(part -> Files.isExecutable(Path.of(part, "npm"))),
        "no npm on the PATH");
    List<String> command = new ArrayList<>(List.of("npm", "install", "--prefix"));
    command.addAll(List.of(folder.toString(), "--ignore-scripts", "--no-audit", "--no-fund"));
    command.addAll(List.of(packages));
    Path log = folder.resolve("npm.log");
    Process npm =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    String output = finished(npm, log);
    assumeFalse(
        npm.exitValue() != 0 && OFFLINE.matcher(output).find(),
        "the npm registry cannot be reached");
    assertEquals(0, npm.exitValue(), output);
    return new NodePackages(folder);
  }

  private static String finished(Process process, Path log)
      throws IOException, InterruptedException {
    try {
      assertTrue(process.waitFor(MINUTES, TimeUnit.MINUTES), () -> process.info() + " hangs");
      return Files.readString(log);
    } finally {
      process.destroyForcibly();
    }
  }

  /** Returns a file of the packages. */
  public Path file(String name) {
    return folder.resolve("node_modules").resolve(name);
  }

  /**
   * Runs a script with the packages and returns its standard output.
   *
   * @param script JavaScript of a module
   */
  public String run(String script, String... arguments) throws IOException, InterruptedException {
    Path file = Files.writeString(folder.resolve("script.mjs"), script);
    List<String> command = new ArrayList<>(List.of("node", file.toString()));
    command.addAll(List.of(arguments));
    Path output = folder.resolve("output");
    Path errors = folder.resolve("errors");
    Process node =
        new ProcessBuilder(command)
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .start();
    String printed = finished(node, output);
    assertEquals(0, node.exitValue(), Files.readString(errors));
    return printed;
  }
}
