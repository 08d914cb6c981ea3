package roll.cnf;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Finds test classes with a missing or wrong tag of a ring. */
final class TestRings {
  private static final String FRAMEWORK = "framework";
  private static final String HOSTILE = "hostile";
  private static final String PROCESS = "processes";
  private static final Set<String> RINGS = Set.of(FRAMEWORK, HOSTILE, PROCESS);
  private static final List<String> TAGS = List.of(FRAMEWORK, HOSTILE, PROCESS, "slow");

  private static final Set<String> FRAMEWORKS =
      Set.of(
          "org/osgi/framework/launch/FrameworkFactory.newFramework",
          "org/apache/felix/framework/FrameworkFactory.newFramework");

  /**
   * Methods that start processes, browsers or nodes, directly or when their object is used. Calls
   * are only followed through test code, so main code is listed here.
   */
  static final Set<String> PROCESSES =
      Set.of(
          "java/lang/ProcessBuilder.start",
          "java/lang/ProcessBuilder.startPipeline",
          "java/lang/Runtime.exec",
          "roll/bridge/ProgramCommand.<init>",
          "roll/browser/BrowserProcess.start",
          "roll/browser/Chromium.<init>",
          "roll/cluster/pekko/PekkoEngine.<init>",
          "roll/env/remote/RemoteEnvironment.<init>",
          "roll/reward/python/PythonReward.<init>",
          "roll/rollout/program/ProgramEnvManager.<init>",
          "roll/sandbox/python_process/ProcessSandbox.<init>",
          "roll/workspace/container/ContainerWorkspaces.open",
          "roll/workspace/local/LocalWorkspaces.<init>",
          "roll/sweep/ProcessSweeper.start",
          "roll/sweep/RunProcess.start",
          "roll/tool/mcp/McpTool.<init>");

  private final Map<String, TestCode> types;
  private final TestCalls calls;
  private final String inside;

  /**
   * Checks {@code types}.
   *
   * @param inside prefix of classes that run inside a framework
   */
  TestRings(Map<String, TestCode> types, String inside) {
    this.types = types;
    this.calls = new TestCalls(types, RINGS);
    this.inside = inside;
  }

  /** Returns a line per class. */
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    for (TestCode type : tests()) {
      String problem = problem(type);
      if (!problem.isEmpty()) {
        problems.add(type.name().replace('/', '.') + " " + problem);
      }
    }
    return problems;
  }

  /** Returns the classes whose tests JUnit runs. */
  private List<TestCode> tests() {
    return types.values().stream()
        .filter(type -> !type.isAbstract())
        .filter(type -> calls.family(type).anyMatch(TestCode::hasTests))
        .toList();
  }

  private String problem(TestCode type) {
    Set<String> tags = tags(type);
    Set<String> all = new TreeSet<>(tags);
    calls
        .family(type)
        .flatMap(each -> each.methods().values().stream())
        .forEach(method -> all.addAll(method.tags()));
    for (String tag : all) {
      if (!TAGS.contains(tag)) {
        return "has the tag '" + tag + "': allowed are " + TAGS;
      }
    }
    all.retainAll(RINGS);
    if (all.size() > 1) {
      return "has the tags of several rings: " + all;
    }
    if (type.name().startsWith(inside)) {
      return tags.contains(FRAMEWORK) ? "" : "runs inside a framework: @Tag(\"framework\")";
    }
    if (tags.contains(HOSTILE) || tags.contains(PROCESS)) {
      return "";
    }
    List<String> way = calls.way(type, PROCESSES);
    if (!way.isEmpty()) {
      return "starts processes: @Tag(\"processes\"), for " + String.join(" > ", way);
    }
    way = tags.contains(FRAMEWORK) ? List.of() : calls.way(type, FRAMEWORKS);
    return way.isEmpty()
        ? ""
        : "starts a framework: @Tag(\"framework\"), for " + String.join(" > ", way);
  }

  /** Returns the tags of a class, its superclasses and enclosing classes. */
  private Set<String> tags(TestCode type) {
    Set<String> tags = new TreeSet<>(type.tags());
    Stream.concat(type.parents().stream(), Stream.of(outer(type.name())))
        .filter(types::containsKey)
        .forEach(other -> tags.addAll(tags(types.get(other))));
    return tags;
  }

  private static String outer(String name) {
    int end = name.lastIndexOf('$');
    return end < 0 ? "" : name.substring(0, end);
  }
}
