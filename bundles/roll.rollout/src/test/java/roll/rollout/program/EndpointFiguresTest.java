package roll.rollout.program;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.Gson;
import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Prints the endpoint's own time per request, and that of a client: 64 episodes at once with tools
 * and a long history, and a policy that answers at once.
 */
@Tag("slow")
@NullMarked
@Timeout(900)
class EndpointFiguresTest {
  private static final int EPISODES = 64;
  private static final int TURNS = 24;
  private static final int ROUNDS = 3;
  private static final Gson GSON = new Gson();
  private static final OperatingSystemMXBean MACHINE =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private static List<Map<String, Object>> tools() {
    List<Map<String, Object>> tools = new ArrayList<>();
    Map<String, Object> text = Map.of("type", "string", "description", "path of the file");
    for (int i = 0; i < 10; i++) {
      Map<String, Object> function = new LinkedHashMap<>();
      function.put("name", "tool" + i);
      function.put("description", "Reads, writes and searches files of the project. ".repeat(6));
      function.put(
          "parameters", Map.of("type", "object", "properties", Map.of("path", text, "text", text)));
      tools.add(Map.of("type", "function", "function", function));
    }
    return tools;
  }

  private static List<String> requests(int episode) {
    List<String> requests = new ArrayList<>();
    List<Map<String, Object>> messages = new ArrayList<>();
    messages.add(
        Map.of("role", "system", "content", "You are an agent that edits files. ".repeat(100)));
    for (int i = 0; i < TURNS; i++) {
      messages.add(ChatKit.user("line %d of %d: int x = y + 1; ".formatted(i, episode).repeat(20)));
      requests.add(GSON.toJson(Map.of("messages", messages, "tools", tools())));
      messages.add(ChatKit.assistant("hi"));
    }
    return requests;
  }

  private static int play(EndpointKit kit, EndpointKit.Seat seat, List<String> requests) {
    try {
      return kit.playing(
          seat.session(),
          () -> {
            for (String request : requests) {
              assertEquals(200, kit.ask(seat.key(), request).statusCode());
            }
            return requests.size();
          });
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void figures(@TempDir Path folder) throws IOException {
    for (int round = 0; round < ROUNDS; round++) {
      try (EndpointKit kit = new EndpointKit(ChatKit.withTools(folder), 1 << 20, TURNS + 2, 0)) {
        List<List<String>> requests = new ArrayList<>();
        List<EndpointKit.Seat> seats = new ArrayList<>();
        for (int i = 0; i < EPISODES; i++) {
          requests.add(requests(i));
          seats.add(kit.open());
        }
        long processor = MACHINE.getProcessCpuTime();
        long since = System.nanoTime();
        List<CompletableFuture<Integer>> played = new ArrayList<>();
        for (int i = 0; i < EPISODES; i++) {
          int own = i;
          played.add(
              CompletableFuture.supplyAsync(
                  () -> play(kit, seats.get(own), requests.get(own)), kit));
        }
        int all = played.stream().mapToInt(CompletableFuture::join).sum();
        double wall = (System.nanoTime() - since) / 1e6 / all;
        double used = (MACHINE.getProcessCpuTime() - processor) / 1e6 / all;
        for (EndpointKit.Seat seat : seats) {
          assertEquals(1, BranchSamples.ends(seat.session().history().completions()).size());
        }
        System.out.printf(
            Locale.ROOT,
            "%.0f KB in the last turn, %d at once: %.2f ms of processors and %.2f ms of time per"
                + " request%n",
            requests.getFirst().getLast().length() / 1e3,
            EPISODES,
            used,
            wall);
      }
    }
  }
}
