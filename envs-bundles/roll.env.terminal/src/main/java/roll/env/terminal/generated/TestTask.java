package roll.env.terminal.generated;

import static java.util.stream.Collectors.joining;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Make a failing test pass: a function has no body. */
final class TestTask {
  private TestTask() {}

  static GeneratedTask make(RandomGenerator random) {
    PythonFunction function = PythonFunction.ALL.get(random.nextInt(PythonFunction.ALL.size()));
    String module = Words.draw(Words.NAMES, 1, random).getFirst();
    String test = "test_" + module + ".py";
    Map<String, String> files = new LinkedHashMap<>();
    files.put(module + ".py", function.definition(List.of("return None")));
    files.put(
        test,
        """
        import unittest

        from %1$s import %2$s


        class FunctionTest(unittest.TestCase):
            def test(self):
                self.assertEqual(%2$s([2, 9, 4]), %3$d)
                self.assertEqual(%2$s([7, 5, 3, 8]), %4$d)


        if __name__ == "__main__":
            unittest.main()
        """
            .formatted(
                module,
                function.name(),
                function.of(new long[] {2, 9, 4}),
                function.of(new long[] {7, 5, 3, 8})));
    String tests =
        PythonFunction.INPUTS.stream()
            .map(
                numbers ->
                    ("[ \"$(python3 -BSI -c 'import sys; sys.path.insert(0, \".\"); from %1$s"
                         + " import %2$s; print(%2$s([%3$s]))' 2>&1 | head -c 99)\" = \"%4$d\" ] ||"
                         + " right=0\n")
                        .formatted(
                            module,
                            function.name(),
                            MendTask.words(numbers).replace(" ", ", "),
                            function.of(numbers)))
            .collect(joining("", "right=1\n", "echo $right > /logs/verifier/reward.txt\n"));
    return new GeneratedTask(
        TaskKind.TEST.word(),
        "%s fails. Make it pass by the function %s in %s.py."
            .formatted(test, function.name(), module),
        files,
        Map.of("test.sh", tests),
        List.of(
            GeneratedTask.call("shell", "command", "python3 " + test),
            GeneratedTask.call("read_file", "path", module + ".py"),
            GeneratedTask.call(
                "edit_file",
                "path",
                module + ".py",
                "old",
                "    return None\n",
                "new",
                PythonFunction.indented(function.body())),
            GeneratedTask.call("shell", "command", "python3 " + test),
            "done"));
  }
}
