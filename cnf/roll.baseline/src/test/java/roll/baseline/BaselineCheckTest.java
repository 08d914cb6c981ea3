package roll.baseline;

import static org.junit.jupiter.api.Assertions.assertEquals;

import aQute.bnd.osgi.Analyzer;
import aQute.bnd.osgi.Jar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results for changes of the package roll.x, released as 1.0.0. */
class BaselineCheckTest {
  private static final String CONSUMER = "@ConsumerType interface World { int play(); }";
  private static final String RECORD = "record Step(int reward, String text) {}";

  @TempDir Path folder;

  @BeforeEach
  void release() throws Exception {
    Path released = Files.createDirectories(folder.resolve("tree/cnf/released"));
    compile("0.2.0", "roll.x;version=1.0.0", CONSUMER, RECORD)
        .write(released.resolve("roll.x.jar").toFile());
  }

  private Jar compile(String bundleVersion, String exports, String... types) throws IOException {
    return Sources.compile(folder, bundleVersion, exports, types);
  }

  /**
   * Returns the problems of a bundle 0.3.0 with {@code types} whose package has {@code version}.
   */
  private List<String> said(String version, String... types) throws Exception {
    return said(compile("0.3.0.SNAPSHOT", "roll.x;version=" + version, types), "");
  }

  private List<String> said(Jar jar, String raised) throws Exception {
    try (Analyzer analyzer = new Analyzer(jar)) {
      analyzer.setBase(Files.createDirectories(folder.resolve("tree/bundles/roll.x")).toFile());
      analyzer.setBundleSymbolicName(
          jar.getManifest().getMainAttributes().getValue("Bundle-SymbolicName"));
      analyzer.setProperty(BaselineCheck.RAISED, raised);
      new BaselineCheck().verify(analyzer);
      return List.copyOf(analyzer.getErrors());
    }
  }

  @Test
  void whatDidNotChangeKeepsItsVersion() throws Exception {
    assertEquals(List.of(), said("1.0.0", CONSUMER, RECORD));
    assertEquals(List.of(), said("1.0.7", CONSUMER, RECORD));
    assertEquals(
        List.of(
            "roll.x: package roll.x has version 1.1.0 and needs 1.0.0 (released with 0.2.0: 1.0.0):"
                + " no signature changed; if its meaning changed, say so by -baseline-raised in the"
                + " bundle's bnd.bnd"),
        said("1.1.0", CONSUMER, RECORD));
  }

  @Test
  void aMethodThatPluginsMustWriteIsAMajorStep() throws Exception {
    String changed =
        "@ConsumerType interface World { int play(); void reset(String why, int[] to); }";
    assertEquals(
        List.of(
            "roll.x: package roll.x has version 1.1.0 and needs 2.0.0 (released with 0.2.0: 1.0.0):"
                + " World.reset(String,int[]) added"),
        said("1.1.0", changed, RECORD));
    assertEquals(List.of(), said("2.0.0", changed, RECORD));
  }

  @Test
  void aMethodWithABodyIsAMinorStep() throws Exception {
    String changed = "@ConsumerType interface World { int play(); default void reset() {} }";
    assertEquals(
        List.of(
            "roll.x: package roll.x has version 1.0.0 and needs 1.1.0 (released with 0.2.0: 1.0.0):"
                + " World.reset() added"),
        said("1.0.0", changed, RECORD));
    assertEquals(List.of(), said("1.1.0", changed, RECORD));
    assertEquals(
        List.of(
            "roll.x: package roll.x has version 2.0.0 and needs 1.1.0 (released with 0.2.0: 1.0.0):"
                + " World.reset() added; if its meaning changed, say so by -baseline-raised in the"
                + " bundle's bnd.bnd"),
        said("2.0.0", changed, RECORD));
  }

  @Test
  void aComponentMoreOrLessIsAMajorStep() throws Exception {
    assertEquals(
        List.of(
            "roll.x: package roll.x has version 1.0.0 and needs 2.0.0 (released with 0.2.0: 1.0.0):"
                + " new Step(int) added, new Step(int,String) removed, Step.text() removed"),
        said("1.0.0", CONSUMER, "record Step(int reward) {}"));
    assertEquals(
        List.of(
            "roll.x: package roll.x has version 1.1.0 and needs 2.0.0 (released with 0.2.0: 1.0.0):"
                + " new Step(int,String) removed, new Step(int,String,long,byte) added, Step.at()"
                + " added and 1 more"),
        said("1.1.0", CONSUMER, "record Step(int reward, String text, long at, byte of) {}"));
  }

  @Test
  void whatIsReturnedIsNamed() throws Exception {
    assertEquals(
        List.of(
            "roll.x: package roll.x has version 1.0.0 and needs 2.0.0 (released with 0.2.0: 1.0.0):"
                + " World.play(): int removed, World.play(): long added"),
        said("1.0.0", "@ConsumerType interface World { long play(); }", RECORD));
  }

  /** A new package may have any version, and a new bundle has no release. */
  @Test
  void whatIsNewIsFine() throws Exception {
    assertEquals(List.of(), said("1.1.0", CONSUMER, RECORD, "enum More { A }"));
    Jar jar = compile("0.3.0", "roll.x;version=7.0.0", CONSUMER);
    jar.getManifest().getMainAttributes().putValue("Bundle-SymbolicName", "roll.y");
    assertEquals(List.of(), said(jar, ""));
  }

  @Test
  void aPackageThatIsGoneIsAMajorStepOfTheBundle() throws Exception {
    assertEquals(
        List.of(
            "roll.x: package roll.x is gone, which was released with 0.2.0: keep it, or the bundle"
                + " has version 0.3.0 and needs 1.0.0"),
        said(compile("0.3.0", "roll.y;version=1.0.0", CONSUMER), ""));
    assertEquals(List.of(), said(compile("1.0.0", "roll.y;version=1.0.0", CONSUMER), ""));
  }

  @Test
  void aVersionMayBeRaisedOnPurpose() throws Exception {
    Jar raised = compile("0.3.0", "roll.x;version=2.0.0", CONSUMER, RECORD);
    assertEquals(List.of(), said(raised, "roll.x;version=2.0.0"));
    assertEquals(1, said(raised, "roll.x;version=3.0.0").size());
    Jar low = compile("0.3.0", "roll.x;version=1.1.0", "@ConsumerType interface World {}");
    assertEquals(1, said(low, "roll.x;version=1.1.0").size(), "never below what is needed");
  }
}
