import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Trains a small run of each kind with two builds and compares their files: {@code java
 * cnf/src/SameBitsTest.java <folder> <roll> <other roll>}, where each {@code roll} is the script in
 * the root of a built tree. For changes that must not change results. The printed times depend on
 * the load of the machine.
 */
class SameBitsTest {
  private final Path folder;

  SameBitsTest(Path folder) {
    this.folder = folder;
  }

  static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]).toAbsolutePath();
    Files.createDirectories(folder);
    SameBitsTest test = new SameBitsTest(folder);
    Path one = Path.of(arguments[1]).toAbsolutePath();
    Path other = Path.of(arguments[2]).toAbsolutePath();
    RunFiles.delete(folder.resolve("arithmetic_demos"));
    test.run(one, Kind.demonstrations(folder));
    int different = 0;
    for (Kind kind : Kind.all(folder)) {
      different += kind.exact() && !test.same(kind, one, other) ? 1 : 0;
    }
    different += test.same(Kind.agent(folder), one, other) ? 0 : 1;
    System.out.println(different + " kinds of runs differ");
    System.exit(different == 0 ? 0 : 1);
  }

  private boolean same(Kind kind, Path one, Path other) throws Exception {
    Path output = folder.resolve("run");
    long start = System.nanoTime();
    RunFiles first = files(one, kind);
    if (kind.name().equals("sft")) {
      RunFiles.delete(folder.resolve("sft"));
      Files.move(output, folder.resolve("sft"));
    }
    long middle = System.nanoTime();
    RunFiles second = files(other, kind);
    String difference = first.difference(second);
    System.out.printf(
        Locale.ROOT,
        "%-6s %.1f s, %.1f s: %s%n",
        kind.name(),
        (middle - start) / 1e9,
        (System.nanoTime() - middle) / 1e9,
        difference.isEmpty() ? first.contents().size() + " files are the same" : difference);
    return difference.isEmpty();
  }

  private RunFiles files(Path roll, Kind kind) throws Exception {
    Path output = folder.resolve("run");
    RunFiles.delete(output);
    List<String> arguments = new ArrayList<>(kind.arguments());
    arguments.add("output_dir=" + folder);
    arguments.add("exp_name=run");
    run(roll, arguments);
    // names the build's folder
    Path config = output.resolve("config.yaml");
    Files.writeString(
        config, Files.readString(config).replace(roll.getParent().toString(), "<root>"));
    return RunFiles.of(output);
  }

  private void run(Path roll, List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(roll.toString()));
    command.addAll(arguments);
    Path log = folder.resolve("out.txt");
    int status =
        new ProcessBuilder(command)
            .directory(roll.getParent().toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start()
            .waitFor();
    if (status != 0) {
      throw new IllegalStateException("status " + status + ", see " + log);
    }
  }
}
