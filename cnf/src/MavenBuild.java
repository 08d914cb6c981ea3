import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32;

/** Runs Maven to list class paths, once and after a pom has changed. */
class MavenBuild {
  private static final int LINES_OF_AN_ERROR = 20;

  private MavenBuild() {}

  /** Returns {@code workspace} with dependencies listed by Maven, if necessary. */
  static Workspace of(Workspace workspace) throws IOException, InterruptedException, Mistake {
    Path root = workspace.root();
    Path asked = root.resolve("target/dev/poms");
    SortedMap<String, String> poms = poms(workspace);
    boolean listed = workspace.modules().stream().allMatch(SourceModule::isBuilt);
    if (listed && Stamp.read(asked).equals(poms)) {
      return workspace;
    }
    Map<SourceSet, SortedMap<String, String>> before = new HashMap<>();
    for (SourceModule module : workspace.modules()) {
      before.put(module.main(), module.main().state());
    }
    System.out.println(
        (listed
                ? "a pom has changed, Maven lists the class paths again"
                : "Maven compiles and lists the class paths")
            + ": this takes a minute or two ...");
    run(root, List.of("-Pclasspaths", "process-classes"), root.resolve("target/dev/maven.log"));
    Workspace built = Workspace.read(root);
    Compilation compilation = new Compilation(built);
    for (SourceModule module : built.modules()) {
      compilation.keep(module.main(), before.get(module.main()));
    }
    Stamp.write(asked, poms);
    return built;
  }

  /** Runs Maven with its output in {@code log}; an error shows the end of it. */
  private static void run(Path root, List<String> goals, Path log)
      throws IOException, InterruptedException, Mistake {
    Files.createDirectories(log.getParent());
    int status =
        maven(root, goals).redirectErrorStream(true).redirectOutput(log.toFile()).start().waitFor();
    if (status != 0) {
      List<String> lines = Files.readAllLines(log);
      lines
          .subList(Math.max(0, lines.size() - LINES_OF_AN_ERROR), lines.size())
          .forEach(System.err::println);
      throw new Mistake(1, "Maven failed; all that it said is in " + root.relativize(log));
    }
  }

  /** Returns a Maven process on this JDK, without checks of a complete build. */
  static ProcessBuilder maven(Path root, List<String> goals) {
    List<String> command = new ArrayList<>(List.of("mvn", "-B", "-q", "-Dquick"));
    command.addAll(goals);
    ProcessBuilder maven = new ProcessBuilder(command).directory(root.toFile());
    maven.environment().put("JAVA_HOME", System.getProperty("java.home"));
    return maven;
  }

  /** Returns the contents of all poms and of the files in {@code .mvn}. */
  private static SortedMap<String, String> poms(Workspace workspace) throws IOException {
    List<Path> files = new ArrayList<>(workspace.poms());
    files.addAll(SourceSet.files(workspace.root().resolve(".mvn")));
    SortedMap<String, String> contents = new TreeMap<>();
    for (Path file : files) {
      CRC32 sum = new CRC32();
      sum.update(Files.readAllBytes(file));
      contents.put(
          workspace.root().relativize(file).toString(), HexFormat.of().toHexDigits(sum.getValue()));
    }
    return contents;
  }
}
