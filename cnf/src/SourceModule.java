import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A module with classes.
 *
 * @param folder absolute path
 * @param dependencies test class path as listed by Maven; empty before that
 */
record SourceModule(Path folder, Pom pom, List<Dependency> dependencies) {

  /** Returns the module of {@code pom} in {@code folder}. */
  static SourceModule read(Path folder, Pom pom) throws IOException {
    Path list = list(folder);
    return new SourceModule(folder, pom, Files.exists(list) ? Dependency.read(list) : List.of());
  }

  /** Returns whether Maven's output exists; an IDE may have deleted it. */
  boolean isBuilt() {
    return Files.exists(list(folder))
        && (pom.property("bnd.skip").equals("true")
            || Files.exists(main().classes().resolve("META-INF/MANIFEST.MF")));
  }

  /** Returns the file with the dependencies of a module. */
  static Path list(Path folder) {
    return folder.resolve("target/dev/dependencies");
  }

  String name() {
    return folder.getFileName().toString();
  }

  SourceSet main() {
    return new SourceSet(this, "main");
  }

  SourceSet test() {
    return new SourceSet(this, "test");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SourceModule module && folder.equals(module.folder);
  }

  @Override
  public int hashCode() {
    return folder.hashCode();
  }

  @Override
  public String toString() {
    return name();
  }
}
