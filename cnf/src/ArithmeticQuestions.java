import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Generates the questions with demonstrations of {@code configs/arithmetic_demos.yaml}: {@code java
 * cnf/src/ArithmeticQuestions.java configs/data}. A question is a sum, a difference, a product, or
 * a product plus a number, of numbers from 2 to 99; kinds and wordings are equally likely. No
 * expression occurs twice, or in {@code arithmetic-train.jsonl} or {@code arithmetic-val.jsonl} of
 * the same folder. {@link Random} is specified exactly, so the file is the same everywhere.
 */
class ArithmeticQuestions {
  private static final int COUNT = 4096;
  private static final long SEED = 42;
  private static final List<String> KINDS =
      List.of("%d + %d", "%d - %d", "%d * %d", "%d * %d + %d");
  private static final List<String> WORDINGS =
      List.of("What is %s?", "How much is %s?", "Compute %s.");
  private static final Pattern EXPRESSION = Pattern.compile("\\d+(?: [-+*] \\d+)+");

  public static void main(String[] arguments) throws IOException {
    Path data = Path.of(arguments[0]);
    Set<String> taken = new HashSet<>();
    for (String other : List.of("arithmetic-train.jsonl", "arithmetic-val.jsonl")) {
      for (String line : Files.readAllLines(data.resolve(other))) {
        Matcher expression = EXPRESSION.matcher(line);
        if (!expression.find()) {
          throw new IOException(other + " has a line without an expression: " + line);
        }
        taken.add(expression.group());
      }
    }
    Files.write(data.resolve("arithmetic-demos.jsonl"), rows(taken));
  }

  private static List<String> rows(Set<String> taken) {
    Random random = new Random(SEED);
    List<String> rows = new ArrayList<>(COUNT);
    while (rows.size() < COUNT) {
      int kind = random.nextInt(KINDS.size());
      int a = random.nextInt(2, 100);
      int b = random.nextInt(2, 100);
      int c = random.nextInt(2, 100);
      String wording = WORDINGS.get(random.nextInt(WORDINGS.size()));
      String expression = KINDS.get(kind).formatted(a, b, c);
      if (taken.add(expression)) {
        int answer =
            switch (kind) {
              case 0 -> a + b;
              case 1 -> a - b;
              case 2 -> a * b;
              default -> a * b + c;
            };
        rows.add(row(wording.formatted(expression), expression, answer));
      }
    }
    return rows;
  }

  private static String row(String question, String expression, int answer) {
    return """
    {"question": "%s", "answer": "%d", "demonstration": [{"tool": "calculator", \
    "arguments": {"expression": "%s"}}, "#### %d"]}\
    """
        .formatted(question, answer, expression, answer);
  }
}
