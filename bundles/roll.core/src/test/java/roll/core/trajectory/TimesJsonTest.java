package roll.core.trajectory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import roll.runtime.trace.TimelinePart;

class TimesJsonTest {
  @Test
  void timesAreMillisecondsSinceTheBeginning() {
    List<TimelinePart> parts =
        List.of(
            new TimelinePart("episode", 0, 1_000_000, 9_004_000, ""),
            new TimelinePart("queue", 1, 2_500_000, 3_000_000, "A_1"));
    assertEquals(
        List.of(
            "{\"id\":\"A_0\",\"times\":[[\"episode\",0,0.0,8.0],[\"queue\",1,1.5,0.5,\"A_1\"]]}"),
        TimesJson.write("A_0", parts).toList());
    assertEquals(List.of(), TimesJson.write("A_0", List.of()).toList());
  }
}
