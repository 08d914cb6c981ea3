import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.MethodModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Finds test classes in sources by name. */
class TestNames {
  private static final String JAVA = ".java";
  private final Workspace workspace;
  private final SourceSet set;

  TestNames(Workspace workspace, SourceSet set) {
    this.workspace = workspace;
    this.set = set;
  }

  /** Returns the full names of the classes {@code name}, with or without a package. */
  List<String> classes(String name) throws IOException, Mistake {
    List<String> found = named(set, name);
    if (found.isEmpty()) {
      String wrong = "no test '" + name + "' in " + set.module() + "; ";
      for (SourceModule other : workspace.modules()) {
        if (!named(other.test(), name).isEmpty()) {
          throw new Mistake(2, wrong + "it is in " + other);
        }
      }
      Set<String> simple =
          all(set).stream()
              .map(full -> full.substring(full.lastIndexOf('.') + 1))
              .filter(last -> last.contains("Test"))
              .collect(Collectors.toCollection(TreeSet::new));
      throw new Mistake(2, wrong + NearestNames.among(simple, name));
    }
    return found;
  }

  private static List<String> named(SourceSet set, String name) throws IOException {
    return all(set).stream()
        .filter(full -> full.equals(name) || full.endsWith("." + name))
        .toList();
  }

  /** Returns the error that {@code classes} have no test {@code method}. */
  Mistake noMethod(List<String> classes, String method) throws IOException {
    Set<String> names = new TreeSet<>();
    for (String name : classes) {
      Path file = set.classes().resolve(name.replace('.', '/') + ".class");
      for (MethodModel each : ClassFile.of().parse(Files.readAllBytes(file)).methods()) {
        if ((each.flags().flagsMask() & (ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC)) == 0) {
          names.add(each.methodName().stringValue());
        }
      }
    }
    names.remove("<init>");
    return new Mistake(
        2,
        "no test '"
            + method
            + "' in "
            + String.join(", ", classes)
            + "; "
            + NearestNames.among(names, method));
  }

  private static Set<String> all(SourceSet set) throws IOException {
    Set<String> names = new TreeSet<>();
    for (Path file : set.sources()) {
      String path = set.java().relativize(file).toString();
      names.add(path.substring(0, path.length() - JAVA.length()).replace('/', '.'));
    }
    return names;
  }
}
