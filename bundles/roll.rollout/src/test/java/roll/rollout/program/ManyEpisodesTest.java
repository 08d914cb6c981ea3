package roll.rollout.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonParser;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many episodes at one endpoint, each of which sees its own requests and responses only. */
@NullMarked
@Timeout(300)
class ManyEpisodesTest {
  private static final int EPISODES = 200;

  private final CyclicBarrier answered = new CyclicBarrier(EPISODES);
  private final CyclicBarrier tried = new CyclicBarrier(EPISODES);
  private final String[] ids = new String[EPISODES];

  /** The program of episode {@code own}, which also tries the response of the next episode. */
  private List<Integer> program(EndpointKit kit, String key, int own) throws Exception {
    String bearer = "Bearer " + key;
    HttpResponse<String> first = kit.ask("/responses", bearer, "{\"input\":\"I am " + own + "\"}");
    ids[own] = JsonParser.parseString(first.body()).getAsJsonObject().get("id").getAsString();
    answered.await();
    String foreign = ids[(own + 1) % EPISODES];
    List<Integer> statuses = new ArrayList<>(List.of(first.statusCode()));
    for (String method : List.of("GET", "DELETE")) {
      statuses.add(kit.send(method, "/responses/" + foreign, bearer).statusCode());
    }
    String next = "{\"input\":\"more\",\"previous_response_id\":\"%s\"}";
    statuses.add(kit.ask("/responses", bearer, next.formatted(foreign)).statusCode());
    String reference =
        "{\"input\":[{\"type\":\"item_reference\",\"id\":\"%s\"}]}".formatted(foreign);
    statuses.add(kit.ask("/responses", bearer, reference).statusCode());
    statuses.add(kit.ask("/responses", bearer + own, next.formatted(ids[own])).statusCode());
    tried.await();
    statuses.add(kit.ask("/responses", bearer, next.formatted(ids[own])).statusCode());
    return statuses;
  }

  @Test
  void noEpisodeSeesAnother() throws Exception {
    try (EndpointKit kit = new EndpointKit()) {
      List<EndpointKit.Seat> seats =
          IntStream.range(0, EPISODES).mapToObj(i -> kit.open()).toList();
      List<CompletableFuture<List<Integer>>> played = new ArrayList<>();
      for (int i = 0; i < EPISODES; i++) {
        int own = i;
        EndpointKit.Seat seat = seats.get(i);
        played.add(
            CompletableFuture.supplyAsync(
                () -> {
                  try {
                    return kit.playing(seat.session(), () -> program(kit, seat.key(), own));
                  } catch (Exception e) {
                    throw new IllegalStateException(e);
                  }
                },
                kit));
      }
      for (int i = 0; i < EPISODES; i++) {
        assertEquals(List.of(200, 404, 404, 400, 404, 401, 200), played.get(i).get());
        List<CapturedCompletion> own = seats.get(i).session().history().completions();
        assertEquals(2, own.size());
        Map<String, Object> first = own.getLast().request().messages().getFirst();
        assertEquals("I am " + i, first.get("content"));
        assertTrue(own.getFirst().isContinuedBy(own.getLast().request()));
      }
    }
  }
}
