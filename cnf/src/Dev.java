import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The commands {@code test} and {@code affected} of {@code ./dev}, described there. */
class Dev {
  private static final String IN_FRAMEWORK = "roll.itests";

  /** Modules whose tests need a complete build. */
  private static final Set<String> AFTER_A_BUILD = Set.of("cnf", IN_FRAMEWORK);

  private final Path root;
  private final boolean debug;
  private final Workspace workspace;

  private Dev(Path root, boolean debug) throws IOException {
    this.root = root;
    this.debug = debug;
    this.workspace = Workspace.read(root);
  }

  static void main(String[] arguments) throws Exception {
    List<String> words = new ArrayList<>(List.of(arguments));
    boolean debug = words.remove("--debug");
    int status;
    try {
      status = new Dev(Path.of("").toAbsolutePath(), debug).run(words);
    } catch (Mistake e) {
      System.err.println("dev: " + e.getMessage());
      status = e.status;
    } catch (FileSystemException e) {
      System.err.println(
          "dev: " + e.getFile() + ": " + Optional.ofNullable(e.getReason()).orElse("no such file"));
      status = 2;
    }
    System.exit(status);
  }

  private int run(List<String> arguments) throws Exception {
    String command = arguments.getFirst();
    int count = arguments.size();
    if (command.equals("affected") && count <= 2) {
      return affected(count == 2 ? arguments.get(1) : "HEAD");
    }
    if (command.equals("test") && count == 2) {
      return ring(workspace.module(arguments.get(1)), "");
    }
    if (command.equals("test") && count == 3) {
      return test(workspace.module(arguments.get(1)), arguments.get(2));
    }
    if (command.equals("test") && count == 4 && arguments.get(2).equals("--ring")) {
      return ring(workspace.module(arguments.get(1)), arguments.get(3));
    }
    throw new Mistake(2, "what is '" + String.join(" ", arguments) + "'? ./dev help lists all");
  }

  /** Runs the tests {@code named}. */
  private int test(SourceModule module, String named) throws Exception {
    String[] parts = named.split("#", 2);
    if (module.name().equals(IN_FRAMEWORK)) {
      String method = parts.length == 2 ? ":" + parts[1] : "";
      List<String> classes = new TestNames(workspace, module.main()).classes(parts[0]);
      return inFramework(module, classes.stream().map(each -> each + method).toList());
    }
    TestNames names = new TestNames(workspace, module.test());
    List<String> classes = names.classes(parts[0]);
    List<String> selection = new ArrayList<>();
    classes.forEach(each -> selection.add("--select-class=" + each));
    if (parts.length == 2) {
      selection.add("--include-methodname=.*#" + parts[1]);
    }
    TestReport report = run(built(), module, selection);
    if (report.isEmpty() && parts.length == 2) {
      throw names.noMethod(classes, parts[1]);
    }
    return status(module, report, named + " has no tests");
  }

  /** Runs the tests of a ring; the empty one is that of {@code mvn verify}. */
  private int ring(SourceModule module, String ring) throws Exception {
    List<String> selection = Rings.selection(module, ring);
    String none = module + " has no tests of the ring " + (ring.isEmpty() ? "default" : ring);
    if (module.name().equals(IN_FRAMEWORK)) {
      throw new Mistake(2, "name a class of " + module + "; mvn verify -Pframework runs all");
    }
    if (module.test().sources().isEmpty()) {
      throw new Mistake(2, none);
    }
    return status(module, run(built(), module, selection), none);
  }

  private static int status(SourceModule module, TestReport report, String none) throws Mistake {
    if (report.isEmpty()) {
      throw new Mistake(2, none);
    }
    report.print(module);
    return report.passed() ? 0 : 1;
  }

  private int affected(String commit) throws Exception {
    Set<String> files = Affected.since(root, commit);
    Workspace built = built();
    Affected affected = new Affected(built, files);
    List<SourceModule> tested = affected.modules();
    tested.removeIf(module -> AFTER_A_BUILD.contains(module.name()));
    affected.print(tested);
    List<SourceModule> failed = new ArrayList<>();
    for (SourceModule module : tested) {
      if (!module.test().sources().isEmpty()) {
        TestReport report = run(built, module, Rings.selection(module, ""));
        report.printSum(module);
        if (!report.passed()) {
          failed.add(module);
        }
      }
    }
    System.out.println(failed.isEmpty() ? "all passed" : "failed: " + failed);
    return failed.isEmpty() ? 0 : 1;
  }

  private Workspace built() throws Exception {
    try (WorkLock _ = WorkLock.take(root)) {
      return MavenBuild.of(workspace);
    }
  }

  private TestReport run(Workspace built, SourceModule module, List<String> selection)
      throws Exception {
    SourceModule listed = built.module(module.folder().toString());
    try (WorkLock _ = WorkLock.take(root)) {
      new Compilation(built).update(listed);
    }
    return new TestRun(built, listed).run(selection, debug);
  }

  /** Runs tests of a bundle in the framework that Maven builds. */
  private int inFramework(SourceModule module, List<String> tests) throws Exception {
    System.out.println("Maven builds the framework that the tests run in: about a minute ...");
    Path reports = root.resolve("launch/framework/first/target/test-reports");
    TestReport.clear(reports);
    List<String> goals =
        List.of(
            "-pl",
            "launch/framework/first",
            "-am",
            "-Dframework.bndrun=itest.bndrun",
            "-Dtest=" + String.join(",", tests),
            "integration-test");
    int status = MavenBuild.maven(root, goals).inheritIO().start().waitFor();
    return status(module, TestReport.read(reports, status), "no such test");
  }
}
