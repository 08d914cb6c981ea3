package roll.env.terminal.generated;

import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/**
 * A function of a list of numbers. Its variables are its own, so that each line occurs once in a
 * program.
 *
 * @param name what it computes
 * @param body its lines
 * @param faults wrong lines in place of right ones
 * @param result what it returns
 */
record PythonFunction(
    String name, List<String> body, List<Fault> faults, ToLongFunction<long[]> result) {
  /** All functions. */
  static final List<PythonFunction> ALL =
      List.of(
          new PythonFunction(
              "total",
              List.of(
                  "amount = 0",
                  "for number in numbers:",
                  "    amount = amount + number",
                  "return amount"),
              List.of(
                  new Fault("amount = 0", "amount = 1"),
                  new Fault("amount = amount + number", "amount = amount - number")),
              numbers -> LongStream.of(numbers).sum()),
          new PythonFunction(
              "product",
              List.of(
                  "result = 1",
                  "for number in numbers:",
                  "    result = result * number",
                  "return result"),
              List.of(
                  new Fault("result = 1", "result = 0"),
                  new Fault("result = result * number", "result = result + number")),
              numbers -> LongStream.of(numbers).reduce(1, (a, b) -> a * b)),
          new PythonFunction(
              "largest",
              List.of(
                  "best = numbers[0]",
                  "for number in numbers:",
                  "    if number > best:",
                  "        best = number",
                  "return best"),
              List.of(
                  new Fault("if number > best:", "if number < best:"),
                  new Fault("return best", "return numbers[1]")),
              numbers -> LongStream.of(numbers).max().orElseThrow()),
          new PythonFunction(
              "smallest",
              List.of(
                  "least = numbers[0]",
                  "for number in numbers:",
                  "    if number < least:",
                  "        least = number",
                  "return least"),
              List.of(
                  new Fault("if number < least:", "if number > least:"),
                  new Fault("return least", "return numbers[2]")),
              numbers -> LongStream.of(numbers).min().orElseThrow()),
          new PythonFunction(
              "even",
              List.of(
                  "count = 0",
                  "for number in numbers:",
                  "    if number % 2 == 0:",
                  "        count = count + 1",
                  "return count"),
              List.of(
                  new Fault("if number % 2 == 0:", "if number % 2 == 1:"),
                  new Fault("count = count + 1", "count = count + 2")),
              numbers -> LongStream.of(numbers).filter(number -> number % 2 == 0).count()));

  /** Lists of numbers for which every fault shows. */
  static final List<long[]> INPUTS =
      List.of(
          new long[] {3, 9, 4, 8, 2, 7, 5}, new long[] {6, 3, 4, 2, 9}, new long[] {5, 7, 8, 2});

  /**
   * A fault.
   *
   * @param right the right line, without indentation
   * @param wrong in its place
   */
  record Fault(String right, String wrong) {}

  /** Returns the lines of the definition, with {@code lines} as the body. */
  String definition(List<String> lines) {
    return "def " + name + "(numbers):\n" + indented(lines);
  }

  /** Returns {@code lines} as the body of a function. */
  static String indented(List<String> lines) {
    return "    " + String.join("\n    ", lines) + "\n";
  }

  /** Returns the result for {@code numbers}. */
  long of(long[] numbers) {
    return result.applyAsLong(numbers);
  }
}
