package roll.cnf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands {@code test} and {@code affected} of {@code ./dev}. */
@Tag("processes")
@Timeout(120)
class DevTest {
  private static final String GREETING = "a/src/main/java/a/Greeting.java";
  private static final String LETTER = "b/src/main/java/b/Letter.java";
  private static final String LETTER_TEST = "b/src/test/java/b/LetterTest.java";
  private static final String PASSED = "Tests run: 1, Failures: 0, Errors: 0, Skipped: 0 -- b\n0";

  @TempDir static Path program;
  @TempDir Path folder = Path.of("");
  private DevTree tree;

  @BeforeAll
  static void compile() {
    DevTree.compileProgram(program);
  }

  @BeforeEach
  void write() throws IOException {
    tree = new DevTree(folder, program);
    tree.write(
        "pom.xml",
        """
        <project>
          <packaging>pom</packaging>
          <modules><module>c</module><module>b</module><module>a</module></modules>
          <properties>
            <maven.compiler.release>25</maven.compiler.release>
            <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
            <bnd.skip>true</bnd.skip>
            <jvm>-Xmx256m</jvm>
            <word>hello</word>
          </properties>
          <build><pluginManagement><plugins>
            <plugin><artifactId>maven-compiler-plugin</artifactId><configuration><compilerArgs>
              <arg>-Xlint:all</arg><arg>-Werror</arg><arg>-J-Xmx1g</arg>
            </compilerArgs></configuration></plugin>
            <plugin><artifactId>maven-surefire-plugin</artifactId><configuration>
              <argLine>${jvm}</argLine><excludedGroups>hostile | slow</excludedGroups>
              <systemPropertyVariables><greeting>${word}</greeting></systemPropertyVariables>
            </configuration></plugin>
          </plugins></pluginManagement></build>
        </project>
        """);
    tree.module("a");
    tree.module("b", "a");
    tree.module("c");
    tree.write(
        GREETING,
        "package a; public class Greeting { public static String of() { return"
            + " System.getProperty(\"greeting\"); } }");
    tree.write(
        LETTER,
        "package b; public class Letter { public String text() { return a.Greeting.of() + \" Ann\";"
            + " } }");
    tree.write(
        LETTER_TEST,
        """
        package b;
        import static org.junit.jupiter.api.Assertions.assertEquals;
        import org.junit.jupiter.api.Tag;
        import org.junit.jupiter.api.Test;
        class LetterTest {
          @Test void greets() { assertEquals("hello Ann", new Letter().text()); }
          @Test @Tag("hostile") void greetsNobody() { assertEquals("hello", a.Greeting.of()); }
        }
        """);
    tree.write("c/src/main/java/c/Alone.java", "package c; public class Alone {}");
    for (String module : List.of("a", "b", "c")) {
      tree.compile(module);
    }
  }

  @Test
  void wrongNamesAreAnsweredInOneLine() throws Exception {
    assertEquals("dev: no module 'aa'; nearest: a, b, c\n2", tree.dev("test", "aa"));
    assertEquals(
        "dev: no test 'LeterTest' in b; nearest: LetterTest\n2",
        tree.dev("test", "b", "LeterTest"));
    assertEquals(
        "dev: no test 'LetterTest' in c; it is in b\n2", tree.dev("test", "c", "LetterTest"));
    assertEquals(
        "dev: no ring 'fast'; there are hostile, slow\n2", tree.dev("test", "b", "--ring", "fast"));
    String method = tree.dev("test", "b", "LetterTest#greet");
    assertTrue(
        method.endsWith("no test 'greet' in b.LetterTest; nearest: greets, greetsNobody\n2"),
        method);
  }

  @Test
  void mavenRunsOnceAndAgainWhenAPomChanges() throws Exception {
    String said = tree.dev("test", "b", "LetterTest#greets");
    assertTrue(said.endsWith(PASSED), said);
    said = tree.dev("test", "b", "LetterTest#greets");
    assertTrue(said.endsWith(PASSED), said);
    assertFalse(said.contains("compiling"), said);
    assertEquals(1, tree.builds());
    tree.replace("pom.xml", "<word>hello<", "<word>bye<");
    said = tree.dev("test", "b", "LetterTest#greets");
    assertTrue(said.contains("expected: <hello Ann> but was: <bye Ann>"), said);
    assertTrue(said.endsWith("Failures: 1, Errors: 0, Skipped: 0 -- b\n1"), said);
    assertEquals(2, tree.builds());
  }

  @Test
  void whatChangedIsCompiledAndWhatNeedsItsChangedApi() throws Exception {
    tree.dev("test", "b", "b.LetterTest");
    tree.replace(GREETING, "return ", "assert true; return ");
    String said = tree.dev("test", "b", "LetterTest#greets");
    assertTrue(said.startsWith("compiling a, 1 files\nTests run"), said);
    tree.replace(GREETING, "static String of", "static CharSequence of");
    said = tree.dev("test", "b", "LetterTest#greets");
    assertTrue(
        said.startsWith(
            "compiling a, 1 files\ncompiling b, 1 files\ncompiling the tests of b, 1 files\n"),
        said);
    assertTrue(said.endsWith(PASSED), said);
    assertEquals(1, tree.builds());
  }

  @Test
  void whatDoesNotCompileIsTriedAgainAndWhatIsGoneIsGone() throws Exception {
    tree.write("b/src/main/java/b/Odd.java", "package b; class Odd {}");
    tree.write("b/src/main/resources/b/odd.txt", "odd");
    tree.write("b/target/classes/b/odd.txt", "odd");
    tree.compile("b");
    tree.dev("test", "b", "LetterTest#greets");
    tree.replace(LETTER, "public String", "java.util.List list; public String");
    for (int i = 0; i < 2; i++) {
      String said = tree.dev("test", "b", "LetterTest#greets");
      assertTrue(said.contains(LETTER + ":1: warning: [rawtypes]"), said);
      assertTrue(said.endsWith("dev: b does not compile\n1"), said);
    }
    tree.replace(LETTER, "java.util.List list; ", "");
    tree.write("b/target/classes/b/inlined.class", "by bnd");
    tree.write("b/src/main/resources/b/even.txt", "even");
    tree.delete("b/src/main/resources/b/odd.txt");
    tree.delete("b/src/main/java/b/Odd.java");
    assertTrue(tree.has("b/target/classes/b/Odd.class"));
    String said = tree.dev("test", "b", "LetterTest#greets");
    assertTrue(said.endsWith(PASSED), said);
    assertFalse(tree.has("b/target/classes/b/Odd.class"));
    assertFalse(tree.has("b/target/classes/b/odd.txt"));
    assertTrue(tree.has("b/target/classes/b/even.txt"));
    assertTrue(tree.has("b/target/classes/b/inlined.class"));
  }

  @Test
  void aRingRunsAlone() throws Exception {
    for (String[] ring : new String[][] {{}, {"--ring", "hostile"}}) {
      String[] command = {"test", "b"};
      String said = tree.dev(Stream.of(command, ring).flatMap(Stream::of).toArray(String[]::new));
      assertTrue(said.endsWith(PASSED), said);
    }
    assertTrue(
        tree.dev("test", "b", "--ring", "slow").endsWith("b has no tests of the ring slow\n2"));
  }

  @Test
  void theModulesOfAChangeAreTestedAndThoseThatNeedThem() throws Exception {
    tree.commit();
    assertTrue(tree.dev("affected", "HEAD").endsWith("all passed\n0"));
    tree.replace(GREETING, "return ", "return \"\" + ");
    tree.write("docs/page.md", "untracked");
    String said = tree.dev("affected");
    assertTrue(
        said.startsWith("changed: a\ndependent: b\nleft to mvn verify: docs/page.md\n"), said);
    assertTrue(said.contains(" -- b\n"), said);
    assertTrue(said.endsWith("all passed\n0"), said);
    assertTrue(tree.dev("affected", "v9").startsWith("dev: no commit 'v9'"));
  }
}
