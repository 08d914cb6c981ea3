import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Compiles what changed since its last compilation or Maven's, into Maven's folders and with its
 * options.
 */
class Compilation {
  private static final String API = "api ";

  /** The time of class files that Maven will compile again, as older than their sources. */
  private static final FileTime OLD = FileTime.fromMillis(0);

  private final Workspace workspace;

  Compilation(Workspace workspace) {
    this.workspace = workspace;
  }

  /** Compiles what the tests of {@code module} need. */
  void update(SourceModule module) throws IOException, Mistake {
    for (SourceModule needed : workspace.needs(module)) {
      update(needed.main());
    }
    update(module.main());
    update(module.test());
  }

  private void update(SourceSet set) throws IOException, Mistake {
    SortedMap<String, String> known = Stamp.read(set.kept("stamp"));
    SortedMap<String, String> now = inputs(set, set.state());
    Set<String> changed = Stamp.differences(known, now);
    if (changed.isEmpty()) {
      return;
    }
    Set<String> sources = new TreeSet<>(known.keySet());
    sources.addAll(now.keySet());
    if (changed.stream().anyMatch(name -> name.endsWith(".java") || name.startsWith(API))) {
      compile(set, sources);
    }
    copyResources(set, changed);
    keep(set, now);
  }

  /** Records {@code state}, the sources of the compiled classes. */
  void keep(SourceSet set, SortedMap<String, String> state) throws IOException {
    if (set.name().equals("main")) {
      Files.createDirectories(set.kept("api").getParent());
      Files.writeString(set.kept("api"), ClassApi.of(classes(set, state.keySet())));
    }
    Stamp.write(set.kept("stamp"), inputs(set, state));
  }

  /** Returns the state of the sources and the API of their class path; of a jar its name. */
  private SortedMap<String, String> inputs(SourceSet set, Map<String, String> state)
      throws IOException {
    SortedMap<String, String> inputs = new TreeMap<>(state);
    Set<Path> path = classPath(set);
    inputs.put(API + "class path", Integer.toHexString(path.toString().hashCode()));
    for (Path entry : path) {
      SourceModule module = workspace.at(entry).orElse(null);
      if (module != null && Files.exists(module.main().kept("api"))) {
        inputs.put(API + module.name(), Files.readString(module.main().kept("api")));
      }
    }
    return inputs;
  }

  private void compile(SourceSet set, Set<String> sources) throws IOException, Mistake {
    Path fresh = set.kept("classes");
    for (Path file : SourceSet.files(fresh)) {
      Files.delete(file);
    }
    Files.createDirectories(fresh);
    List<Path> files = set.sources();
    System.out.println("compiling " + set + ", " + files.size() + " files");
    if (!files.isEmpty() && !javac(set, files, fresh)) {
      throw new Mistake(1, set + " does not compile");
    }
    for (Path old : classes(set, sources)) {
      if (!Files.exists(fresh.resolve(set.classes().relativize(old)))) {
        Files.delete(old);
      }
    }
    for (Path file : SourceSet.files(fresh)) {
      Path place = set.classes().resolve(fresh.relativize(file));
      if (!Files.exists(place) || Files.mismatch(place, file) >= 0) {
        Files.createDirectories(place.getParent());
        Files.copy(file, place, StandardCopyOption.REPLACE_EXISTING);
        Files.setLastModifiedTime(place, OLD);
      }
      Files.delete(file);
    }
  }

  private boolean javac(SourceSet set, List<Path> files, Path output) throws IOException {
    Pom pom = set.module().pom();
    List<String> options =
        new ArrayList<>(
            List.of(
                "--release",
                pom.property("maven.compiler.release"),
                "-encoding",
                pom.property("project.build.sourceEncoding"),
                "-g",
                "-proc:none",
                "-d",
                output.toString(),
                "-sourcepath",
                set.java().toString(),
                "-classpath",
                classPath(set).stream()
                    .map(Path::toString)
                    .collect(Collectors.joining(File.pathSeparator))));
    pom.list("maven-compiler-plugin", "compilerArgs").stream()
        .filter(option -> !option.startsWith("-J"))
        .forEach(options::add);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      List<Path> shown = files.stream().map(workspace.root()::relativize).toList();
      return compiler
          .getTask(null, manager, null, options, null, manager.getJavaFileObjectsFromPaths(shown))
          .call();
    }
  }

  private Set<Path> classPath(SourceSet set) {
    boolean main = set.name().equals("main");
    Set<Path> path = new LinkedHashSet<>();
    if (!main) {
      path.add(set.module().main().classes());
    }
    for (Dependency dependency : set.module().dependencies()) {
      if (!main || dependency.isForMain()) {
        path.add(workspace.classes(dependency));
      }
    }
    return path;
  }

  /** Returns the class files of {@code sources}, without bnd's files; all files of tests. */
  private static List<Path> classes(SourceSet set, Set<String> sources) throws IOException {
    if (set.name().equals("test")) {
      return SourceSet.files(set.classes()).stream()
          .filter(file -> file.toString().endsWith(".class"))
          .toList();
    }
    Path java = set.module().folder().relativize(set.java());
    Set<Path> folders = new TreeSet<>();
    for (String source : sources) {
      if (source.endsWith(".java") && Path.of(source).startsWith(java)) {
        folders.add(java.relativize(Path.of(source).getParent()));
      }
    }
    List<Path> found = new ArrayList<>();
    for (Path folder : folders) {
      for (Path file : Stamp.list(set.classes().resolve(folder))) {
        String name = file.getFileName().toString().replaceFirst("(\\$.*)?\\.class$", ".java");
        if (sources.contains(java.resolve(folder).resolve(name).toString())) {
          found.add(file);
        }
      }
    }
    return found;
  }

  private static void copyResources(SourceSet set, Set<String> changed) throws IOException {
    for (String name : changed) {
      Path file = set.module().folder().resolve(name);
      if (file.startsWith(set.resources())) {
        Path place = set.classes().resolve(set.resources().relativize(file));
        if (Files.exists(file)) {
          Files.createDirectories(place.getParent());
          Files.copy(file, place, StandardCopyOption.REPLACE_EXISTING);
        } else {
          Files.deleteIfExists(place);
        }
      }
    }
  }
}
