package roll.cnf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import aQute.bnd.differ.DiffPluginImpl;
import aQute.bnd.osgi.Jar;
import aQute.bnd.service.diff.Delta;
import aQute.bnd.service.diff.Diff;
import aQute.bnd.service.diff.Tree;
import aQute.bnd.service.diff.Type;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The output of {@code cnf/src/Release.java}, and the last release. */
@Tag("processes")
class ReleasedTest {
  private static final Path ROOT = Path.of(System.getProperty("roll.root"));

  @TempDir static Path folder;

  @BeforeAll
  static void release() throws Exception {
    Contract.release(folder);
  }

  /** To bnd, a released jar without code and private members equals the bundle. */
  @Test
  void whatIsLeftOutMakesNoDifference() throws Exception {
    Map<String, Set<String>> compared = new TreeMap<>();
    List<String> different = new ArrayList<>();
    for (String bundle : Contract.bundles(folder)) {
      Jar whole = built(bundle);
      try (Jar bare = new Jar(folder.resolve(bundle + ".jar").toFile())) {
        for (Diff part : api(whole).diff(api(bare)).getChildren()) {
          if (part.getType() == Type.PACKAGE && part.getName().startsWith("roll.")) {
            compared.computeIfAbsent(bundle, _ -> new TreeSet<>()).add(part.getName());
            different.addAll(differences(part));
          }
        }
        assertEquals(versions(whole).keySet(), compared.get(bundle));
        assertEquals(versions(whole), versions(bare));
      }
    }
    assertEquals(List.of(), different);
    assertTrue(compared.containsKey("roll.api") && compared.containsKey("roll.testkit"));
  }

  /** Equal classes give equal bytes, so that a release changes only changed files. */
  @Test
  void sameClassesGiveTheSameBytes() throws Exception {
    Path again = folder.resolve("again");
    Contract.release(again);
    for (String bundle : Contract.bundles(folder)) {
      String file = bundle + ".jar";
      assertEquals(-1, Files.mismatch(folder.resolve(file), again.resolve(file)), bundle);
    }
  }

  /** Every released bundle still exists; the build only checks existing ones. */
  @Test
  void whatWasReleasedIsStillThere() throws IOException {
    Set<String> gone = Contract.bundles(Contract.RELEASED);
    gone.removeAll(Contract.bundles(folder));
    assertEquals(Set.of(), gone);
  }

  /** A new package begins with version 1.0.0. */
  @Test
  void whatIsNewBeginsWithOne() throws Exception {
    Map<String, Set<String>> odd = new TreeMap<>();
    Set<String> fresh = Contract.bundles(folder);
    fresh.removeAll(Contract.bundles(Contract.RELEASED));
    for (String bundle : fresh) {
      try (Jar jar = new Jar(folder.resolve(bundle + ".jar").toFile())) {
        odd.put(bundle, new TreeSet<>(versions(jar).values()));
      }
    }
    odd.values().removeIf(Set.of("1.0.0")::equals);
    assertEquals(Map.of(), odd);
  }

  /**
   * Returns differences without annotations, since bnd takes those of local variables for the
   * method's.
   */
  private static List<String> differences(Diff diff) {
    List<String> found = new ArrayList<>();
    for (Diff part : diff.getChildren()) {
      boolean whole = part.getDelta() == Delta.ADDED || part.getDelta() == Delta.REMOVED;
      if (!whole) {
        found.addAll(differences(part));
      } else if (part.getType() != Type.ANNOTATED) {
        found.add(diff.getName() + ": " + part.getName() + " " + part.getDelta());
      }
    }
    return found;
  }

  /** Returns a bundle without the classes of libraries; closing it would lose its resources. */
  private static Jar built(String bundle) throws Exception {
    Path classes = ROOT.resolve("bundles").resolve(bundle).resolve("target/classes");
    Jar jar = new Jar(bundle);
    Jar all = new Jar(classes.toFile());
    jar.setManifest(all.getManifest());
    all.getResources()
        .forEach(
            (path, resource) -> {
              if (path.startsWith("roll/") && path.endsWith(".class")) {
                jar.putResource(path, resource);
              }
            });
    return jar;
  }

  private static Tree api(Jar jar) throws Exception {
    return new DiffPluginImpl().tree(jar).get("<api>");
  }

  private static Map<String, String> versions(Jar jar) throws Exception {
    return Contract.of(jar.getManifest()).versions();
  }
}
