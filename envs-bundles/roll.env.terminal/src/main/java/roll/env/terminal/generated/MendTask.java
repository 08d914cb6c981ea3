package roll.env.terminal.generated;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;

/** Mend the wrong line of a program of two functions. */
final class MendTask {
  private MendTask() {}

  static GeneratedTask make(RandomGenerator random) {
    List<PythonFunction> left = new ArrayList<>(PythonFunction.ALL);
    PythonFunction first = left.remove(random.nextInt(left.size()));
    PythonFunction second = left.remove(random.nextInt(left.size()));
    PythonFunction wrong = random.nextBoolean() ? first : second;
    PythonFunction.Fault fault = wrong.faults().get(random.nextInt(wrong.faults().size()));
    String program =
        """
        import sys


        %1$s

        %2$s

        numbers = [int(word) for word in sys.argv[1:]]
        print(%3$s(numbers), %4$s(numbers))
        """
            .formatted(
                first.definition(first.body()),
                second.definition(second.body()),
                first.name(),
                second.name());
    String tests =
        PythonFunction.INPUTS.stream()
            .map(
                numbers ->
                    "[ \"$(python3 -BSI program.py %s 2>&1 | head -c 99)\" = \"%s\" ] || right=0\n"
                        .formatted(words(numbers), first.of(numbers) + " " + second.of(numbers)))
            .collect(joining("", "right=1\n", "echo $right > /logs/verifier/reward.txt\n"));
    return new GeneratedTask(
        TaskKind.MEND.word(),
        "program.py prints %s and %s of its arguments, and one of them is wrong. Mend it."
            .formatted(first.name(), second.name()),
        Map.of("program.py", program.replace(fault.right(), fault.wrong())),
        Map.of("test.sh", tests),
        List.of(
            GeneratedTask.call("read_file", "path", "program.py"),
            GeneratedTask.call(
                "edit_file", "path", "program.py", "old", fault.wrong(), "new", fault.right()),
            "done"));
  }

  /** Returns {@code numbers} with spaces between them. */
  static String words(long[] numbers) {
    return LongStream.of(numbers).mapToObj(String::valueOf).collect(joining(" "));
  }
}
