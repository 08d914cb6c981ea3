package roll.cnf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import aQute.bnd.build.Project;
import aQute.bnd.build.Workspace;
import aQute.bnd.build.model.clauses.HeaderClause;
import aQute.bnd.header.Parameters;
import aQute.bnd.osgi.Constants;
import biz.aQute.resolve.Bndrun;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** The workspace as Bndtools loads it, with bnd's classes and the repository of this build. */
@Tag("framework")
@Timeout(300)
class BndtoolsWorkspaceTest {
  private static final Path ROOT = Path.of(System.getProperty("roll.root")).toAbsolutePath();
  private static final Path LAUNCH = ROOT.resolve("launch");

  private static Workspace workspace() throws Exception {
    Workspace workspace = Workspace.getWorkspace(ROOT.normalize().toFile());
    assertTrue(workspace.check(), () -> workspace.getErrors().toString());
    return workspace;
  }

  @Test
  void launchIsItsOneProject() throws Exception {
    Workspace workspace = workspace();
    assertEquals(
        List.of("launch"), workspace.getAllProjects().stream().map(Project::getName).toList());
    Project project = workspace.getProject("launch");
    project.prepare();
    assertTrue(project.check(), () -> project.getErrors().toString());
    assertTrue(project.isNoBundles(), "Bndtools would build a bundle of it");
  }

  /** Bndtools looks for an Eclipse project of this name and nature. */
  @Test
  void eclipseFindsBothProjects() throws Exception {
    assertEquals(
        List.of(Workspace.CNFDIR), texts(ROOT.resolve("cnf/.project"), "/projectDescription/name"));
    Path launch = LAUNCH.resolve(".project");
    assertEquals(List.of("launch"), texts(launch, "/projectDescription/name"));
    assertEquals(
        List.of("org.eclipse.jdt.core.javanature", "bndtools.core.bndnature"),
        texts(launch, "/projectDescription/natures/nature"));
    assertEquals(
        List.of("org.eclipse.jdt.core.javabuilder", "bndtools.core.bndbuilder"),
        texts(launch, "/projectDescription/buildSpec/buildCommand/name"));
  }

  /** Bndtools marks projects whose folders differ between Eclipse and bnd. */
  @Test
  void eclipseAndBndMeanTheSameFolders() throws Exception {
    Project project = workspace().getProject("launch");
    Path classpath = LAUNCH.resolve(".classpath");
    assertEquals(
        project.getSourcePath().stream().map(BndtoolsWorkspaceTest::inLaunch).toList(),
        texts(classpath, "/classpath/classpathentry[@kind='src']/@path"));
    assertEquals(
        List.of(inLaunch(project.getSrcOutput())),
        texts(classpath, "/classpath/classpathentry[@kind='output']/@path"));
    assertEquals(
        List.of("org.eclipse.jdt.launching.JRE_CONTAINER", "aQute.bnd.classpath.container"),
        texts(classpath, "/classpath/classpathentry[@kind='con']/@path"));
  }

  private static String inLaunch(File folder) {
    return LAUNCH.normalize().relativize(folder.toPath()).toString().replace(File.separator, "/");
  }

  private static List<String> texts(Path file, String path) throws Exception {
    XPath xpath = XPathFactory.newInstance().newXPath();
    Node document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
    NodeList found = (NodeList) xpath.evaluate(path, document, XPathConstants.NODESET);
    return Stream.iterate(0, i -> i + 1)
        .limit(found.getLength())
        .map(i -> found.item(i).getTextContent())
        .toList();
  }

  static List<String> distributions() throws Exception {
    try (Stream<Path> files = Files.list(LAUNCH)) {
      return files.map(f -> f.getFileName().toString()).filter(f -> f.endsWith(".bndrun")).toList();
    }
  }

  /** The committed run bundles are those that <em>Resolve</em> writes. */
  @ParameterizedTest
  @MethodSource("distributions")
  void itResolvesToWhatIsCommitted(String file) throws Exception {
    try (Bndrun run = Bndrun.createBndrun(workspace(), LAUNCH.resolve(file).toFile())) {
      List<String> committed =
          new Parameters(run.getProperty(Constants.RUNBUNDLES))
              .entrySet().stream()
                  .map(bundle -> bundle.getKey() + " " + bundle.getValue().getVersion())
                  .sorted()
                  .toList();
      List<String> resolved = bundles(run.resolve().getRunBundles());
      assertTrue(run.check(), () -> run.getErrors().toString());
      assertEquals(committed, resolved);
    }
  }

  /** The example of launch/README.md: a copy with one more requirement resolves. */
  @Test
  void aCopyWithARequirementMoreResolves() throws Exception {
    Path copy = LAUNCH.resolve("bndtools-workspace-test.bndrun");
    Files.writeString(
        copy,
        Files.readString(LAUNCH.resolve("frozen-lake.bndrun"))
            .replace(
                "-runrequires: \\\n",
                "-runrequires: \\\n\troll.env;filter:='(roll.env=sokoban)',\\\n"));
    try (Bndrun run = Bndrun.createBndrun(workspace(), copy.toFile())) {
      List<String> more = new ArrayList<>(bundles(run.resolve().getRunBundles()));
      assertTrue(run.check(), () -> run.getErrors().toString());
      more.removeAll(bundles(run.getModel().getRunBundles()));
      assertEquals(List.of("roll.env.sokoban [0.2.0,0.2.1)"), more);
    } finally {
      Files.delete(copy);
    }
  }

  private static List<String> bundles(Collection<? extends HeaderClause> clauses) {
    return clauses.stream()
        .map(clause -> clause.getName() + " " + clause.getAttribs().get("version"))
        .sorted()
        .toList();
  }
}
