import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A module of the tree with classes.
 *
 * @param folder absolute
 * @param dependencies what its tests run with, as Maven listed it; empty before it did
 */
record SourceModule(Path folder, Pom pom, List<Dependency> dependencies) {

  /** That of {@code pom} in {@code folder}. */
  static SourceModule read(Path folder, Pom pom) throws IOException {
    Path list = list(folder);
    return new SourceModule(folder, pom, Files.exists(list) ? Dependency.read(list) : List.of());
  }

  /** Whether what Maven makes of it is there; an IDE that rebuilds may have deleted it. */
  boolean isBuilt() {
    return Files.exists(list(folder))
        && (pom.property("bnd.skip").equals("true")
            || Files.exists(main().classes().resolve("META-INF/MANIFEST.MF")));
  }

  /** The file of a module with its dependencies. */
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
