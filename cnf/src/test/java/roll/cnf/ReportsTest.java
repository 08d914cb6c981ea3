package roll.cnf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The output of {@code cnf/src/Reports.java} for reports and timing records. */
@Tag("processes")
class ReportsTest {
  private static final Path ROOT = Path.of(System.getProperty("roll.root"));

  @TempDir Path folder;
  private Path skips;
  private Path budgets;

  /** The exit status and the lines of both output streams. */
  private record Said(int status, List<String> lines) {}

  @BeforeEach
  void files() throws IOException {
    skips = Files.createFile(folder.resolve("skips.txt"));
    budgets = folder.resolve("budgets.txt");
    Files.writeString(
        budgets,
        """
        # processor, wall
        ring unit 4.9 100
        ring framework 12 10

        ring processes 100 100
        module * 100 100
        module alpha 100 17.4
        """);
    report("alpha/target/surefire-reports", "a.OneTest", 2, 99);
    record(
        "alpha/target/surefire-reports/times-10.tsv",
        """
        class	a.OneTest	processes	1.0	1.0	true
        jvm	-	-	1.5	1.5	-
        """);
    record(
        "alpha/target/surefire-reports/times-11.tsv",
        """
        class	a.OneTest	unit	4.0	3.0	false
        class	a.TwoTest	processes	10.0	6.0	true
        jvm	-	-	16.0	11.0	-
        """);
    record(
        "beta/target/test-reports/times-12.tsv",
        """
        class	b.FrameTest	framework	5.0	8.0	false
        class	b.AtOnceTest	framework	3.0	-	-
        jvm	-	-	10.0	12.0	-
        """);
    report("gamma/target/surefire-reports", "c.ReportedTest", 1, 7);
  }

  private void record(String file, String lines) throws IOException {
    Path path = folder.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, lines);
  }

  private void report(String reports, String name, int tests, int seconds) throws IOException {
    record(
        reports + "/TEST-" + name + ".xml",
        """
        <testsuite name="%s" tests="%d" time="%d"><testcase classname="%1$s" name="a" time="1"/></testsuite>
        """
            .formatted(name, tests, seconds));
  }

  private Said run(String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.add(ROOT.resolve("cnf/src/Reports.java").toString());
    command.addAll(List.of(options));
    command.add(skips.toString());
    command.add(folder.toString());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Said(process.waitFor(), said.lines().toList());
  }

  @Test
  void timesAddUpAndWhatIsOverItsBudgetIsNamed() throws Exception {
    Path page = folder.resolve("page");
    Said said = run("--times=" + page, "--budgets=" + budgets, "--rings");
    assertEquals(
        """
        tests took 34.5 s wall, 24.5 s processor in 3 JVMs, of it 4.5 s and 6.5 s outside of classes
            11.5 s wall      7.5 s processor  processes  2 classes
            10.0 s wall     12.0 s processor  framework  2 classes
             7.0 s wall        - s processor  -          1 classes
             6.0 s wall      5.0 s processor  unit       1 classes
            10.0 s wall      6.0 s processor  processes  a.TwoTest
             7.0 s wall        - s processor  -          c.ReportedTest
             5.0 s wall      8.0 s processor  framework  b.FrameTest
             4.0 s wall      3.0 s processor  unit       a.OneTest
             3.0 s wall        - s processor  framework  b.AtOnceTest
             1.0 s wall      1.0 s processor  processes  a.OneTest
        WARNING: ring unit took 5.0 s of processor time, %1$s has 4.9 s
        WARNING: module alpha took 17.5 s of wall time, %1$s has 17.4 s
        3 passed, 0 failed, 0 skipped
        """
            .formatted(budgets),
        String.join("\n", said.lines()) + "\n");
    assertEquals(0, said.status(), "a budget fails nothing");
    List<String> rows = Files.readAllLines(page.resolve("times.md"));
    for (String row :
        List.of(
            "| framework | 2 | 10.0 | 12.0 | 2.0 | 4.0 |",
            "| unit | 1 | 6.0 | 5.0 | 2.0 | 2.0 |",
            "| alpha | 3 | 17.5 | 12.5 | 2.5 | 2.5 |",
            "| gamma | 1 | 7.0 | - | - | - |",
            "| all | 6 | 34.5 | 24.5 | 4.5 | 6.5 |",
            "| a.TwoTest | 10.0 | 6.0 | processes | alpha |")) {
      assertTrue(rows.contains(row), () -> row + " is none of " + rows);
    }
    assertTrue(
        Files.readAllLines(page.resolve("times.tsv"))
            .contains("b.AtOnceTest\tframework\tbeta\t3.0\tNaN\tfalse"));
  }

  @Test
  void aClassWithoutARingThatStartsAProcessFails() throws Exception {
    record(
        "gamma/target/surefire-reports/times-13.tsv",
        """
        class	c.StartingTest	unit	1.0	1.0	true
        """);
    Said said = run("--rings");
    assertEquals(
        List.of(
            "FAILED c.StartingTest of gamma: starts a process, in ring unit",
            "3 passed, 0 failed, 0 skipped"),
        said.lines());
    assertEquals(1, said.status());
  }

  @Test
  void whatPassedOnlyWhenItWasRunAgainIsNamed() throws Exception {
    record(
        "gamma/target/surefire-reports/TEST-c.ReportedTest.xml",
        """
        <testsuite name="c.ReportedTest" tests="1" failures="0" flakes="1" time="7">\
        <testcase classname="c.ReportedTest" name="a" time="1">\
        <flakyFailure message="1 is not 2"><stackTrace>at c.ReportedTest</stackTrace></flakyFailure>\
        </testcase><testcase classname="c.ReportedTest" name="b" time="1"/></testsuite>
        """);
    assertEquals(
        new Said(
            0,
            List.of(
                "FLAKY c.ReportedTest a: 1 is not 2",
                "  at c.ReportedTest",
                "4 passed, 0 failed, 0 skipped")),
        run());
  }

  @Test
  void noTestIsAFailure() throws Exception {
    folder = Files.createDirectory(folder.resolve("empty"));
    assertEquals(new Said(1, List.of("0 passed, 0 failed, 0 skipped")), run());
  }

  @Test
  void aLineThatIsNoBudgetIsAMistake() throws Exception {
    Files.writeString(budgets, "# seconds\nring unit many 3\n");
    String mistake =
        ":2: 'ring unit many 3' is not 'ring|module <name> <processor seconds> <wall seconds>'";
    assertEquals(new Said(2, List.of(budgets + mistake)), run("--budgets=" + budgets));
  }
}
