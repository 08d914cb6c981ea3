import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The modules that a change can break. */
class Affected {
  /** Files that the build reads for every module. */
  private static final Set<String> FOR_ALL = Set.of("pom.xml", "bnd.bnd", ".mvn");

  private final Workspace workspace;
  private final Set<SourceModule> changed = new LinkedHashSet<>();
  private final List<String> elsewhere = new ArrayList<>();

  /** Finds the modules of {@code files}, which are relative to the root. */
  Affected(Workspace workspace, Set<String> files) {
    this.workspace = workspace;
    for (String file : files) {
      Set<SourceModule> owners = owners(file);
      if (owners.isEmpty()) {
        elsewhere.add(file);
      }
      changed.addAll(owners);
    }
  }

  /** Returns the files that differ from {@code commit}, including untracked ones. */
  static Set<String> since(Path root, String commit)
      throws IOException, InterruptedException, Mistake {
    Set<String> files = new TreeSet<>();
    files.addAll(
        git(root, commit, "diff", "--name-only", "--no-renames", "--relative", commit, "--"));
    files.addAll(git(root, commit, "ls-files", "--others", "--exclude-standard"));
    return files;
  }

  private static List<String> git(Path root, String commit, String... arguments)
      throws IOException, InterruptedException, Mistake {
    List<String> command = new ArrayList<>(List.of("git", "-c", "core.quotePath=false"));
    command.addAll(Arrays.asList(arguments));
    Process git =
        new ProcessBuilder(command)
            .directory(root.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (git.waitFor() != 0) {
      throw new Mistake(2, "no commit '" + commit + "' in the repository of " + root);
    }
    return said.lines().toList();
  }

  /** Returns the modules with changed files, and all that depend on one of them. */
  List<SourceModule> modules() {
    return new ArrayList<>(
        workspace.modules().stream()
            .filter(
                module ->
                    changed.contains(module)
                        || workspace.onPath(module).stream().anyMatch(changed::contains))
            .toList());
  }

  /**
   * Prints the changed files, the dependent modules, and those of them missing in {@code tested}.
   */
  void print(List<SourceModule> tested) {
    List<SourceModule> dependent = modules();
    List<String> rest = new ArrayList<>(elsewhere);
    for (SourceModule module : dependent) {
      if (!tested.contains(module)) {
        rest.add(module.name());
      }
    }
    dependent.removeAll(changed);
    print("changed", changed);
    print("dependent", dependent);
    print("left to mvn verify", rest);
  }

  private static void print(String title, Collection<?> names) {
    if (!names.isEmpty()) {
      System.out.println(
          title + ": " + names.stream().map(Object::toString).collect(Collectors.joining(" ")));
    }
  }

  private Set<SourceModule> owners(String file) {
    Path path = Path.of(file);
    Set<SourceModule> all = workspace.modules();
    if (FOR_ALL.contains(path.getName(0).toString())) {
      return all;
    }
    Path absolute = workspace.root().resolve(path);
    if (path.endsWith("pom.xml")) {
      all.removeIf(module -> !module.pom().folders().contains(absolute.getParent()));
    } else {
      all.removeIf(module -> !absolute.startsWith(module.folder()));
      int depth = all.stream().mapToInt(m -> m.folder().getNameCount()).max().orElse(0);
      all.removeIf(module -> module.folder().getNameCount() < depth);
    }
    return all;
  }
}
