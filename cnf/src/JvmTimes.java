import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * One JVM with tests, as roll.timing wrote it.
 *
 * @param classes that it ran
 * @param rest what the JVM took outside of its classes, above all to start
 */
record JvmTimes(List<TestTime> classes, TestTime rest) {
  /** The cheapest first. What a JVM takes besides its classes belongs to the first ring in it. */
  private static final List<String> RINGS =
      List.of(TestTime.UNIT, "framework", "processes", "hostile", "slow");

  static JvmTimes read(Path file, String module) throws IOException {
    List<TestTime> classes = new ArrayList<>();
    Spent all = Spent.NOTHING;
    Spent jvm = Spent.NOTHING;
    for (String line : Files.readAllLines(file)) {
      String[] fields = line.split("\t");
      Spent spent = new Spent(number(fields[3]), number(fields[4]));
      if (fields[0].equals("jvm")) {
        jvm = spent;
      } else {
        classes.add(new TestTime(fields[1], fields[2], module, spent, fields[5].equals("true")));
        all = all.plus(spent);
      }
    }
    String ring =
        classes.stream()
            .map(TestTime::ring)
            .min(Comparator.comparingInt(RINGS::indexOf))
            .orElse(TestTime.UNIT);
    return new JvmTimes(classes, new TestTime("JVM", ring, module, jvm.minus(all), false));
  }

  private static double number(String field) {
    return field.equals("-") ? Double.NaN : Double.parseDouble(field);
  }
}
