import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The modules of the tree and their dependencies. */
class Workspace {
  private final Path root;
  private final List<Path> poms = new ArrayList<>();
  private final Map<Path, SourceModule> modules = new LinkedHashMap<>();

  private Workspace(Path root) {
    this.root = root;
  }

  /** Reads the poms below {@code root} and the lists written by Maven. */
  static Workspace read(Path root) throws IOException {
    Workspace workspace = new Workspace(root);
    Deque<Path> open = new ArrayDeque<>(List.of(root));
    for (Path folder; (folder = open.poll()) != null; ) {
      Pom pom = Pom.read(root, folder);
      workspace.poms.add(folder.resolve("pom.xml"));
      open.addAll(pom.modules());
      if (pom.hasClasses()) {
        workspace.modules.put(folder, SourceModule.read(folder, pom));
      }
    }
    return workspace;
  }

  Path root() {
    return root;
  }

  List<Path> poms() {
    return poms;
  }

  /** Returns all modules, dependencies first. */
  Set<SourceModule> modules() {
    Set<SourceModule> ordered = new LinkedHashSet<>();
    modules.values().forEach(module -> add(module, ordered));
    return ordered;
  }

  /** Returns the module with this name or folder. */
  SourceModule module(String name) throws Mistake {
    Path folder = root.resolve(name).normalize();
    for (SourceModule module : modules.values()) {
      if (module.folder().equals(folder) || module.name().equals(name)) {
        return module;
      }
    }
    List<String> names = modules.values().stream().map(SourceModule::name).toList();
    throw new Mistake(2, "no module '" + name + "'; " + NearestNames.among(names, name));
  }

  /** Returns the modules on the test class path of {@code module}, dependencies first. */
  Set<SourceModule> needs(SourceModule module) {
    Set<SourceModule> ordered = new LinkedHashSet<>();
    Set<SourceModule> needed = onPath(module);
    needed.forEach(each -> add(each, ordered));
    ordered.retainAll(needed);
    return ordered;
  }

  /** Returns the other modules on the test class path of {@code module}. */
  Set<SourceModule> onPath(SourceModule module) {
    Set<SourceModule> found = new LinkedHashSet<>();
    module.dependencies().forEach(dependency -> at(dependency.path()).ifPresent(found::add));
    return found;
  }

  /** Returns the classes of a module of this tree, or another's jar. */
  Path classes(Dependency dependency) {
    return at(dependency.path()).map(m -> m.main().classes()).orElse(dependency.path());
  }

  /** Returns the module with the classes or jar {@code path}. */
  Optional<SourceModule> at(Path path) {
    Path target = path.getParent();
    boolean built = target != null && target.endsWith("target") && target.startsWith(root);
    return built ? Optional.ofNullable(modules.get(target.getParent())) : Optional.empty();
  }

  private void add(SourceModule module, Set<SourceModule> ordered) {
    if (!ordered.contains(module)) {
      onPath(module).forEach(needed -> add(needed, ordered));
      ordered.add(module);
    }
  }
}
