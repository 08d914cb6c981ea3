package roll.serve;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Generator;
import roll.testkit.RawHttpClient;

/**
 * Thousands of randomly damaged requests cause no failure of the server and leave nothing behind.
 */
@Tag("hostile")
@Timeout(300)
class FuzzTest extends ServerTestBase {
  private static final int ROUNDS = 25;
  private static final int REQUESTS = 100;
  private static final int SLACK = 8;
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3}) ");

  /** The scripted model, which also records its pending responses. */
  private final class RecordingGenerator implements Generator {
    private final List<CompletableFuture<?>> promised =
        Collections.synchronizedList(new ArrayList<>());

    @Override
    public CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests) {
      CompletableFuture<List<Generation>> result =
          model.generate(requests).thenApplyAsync(written -> written);
      promised.add(result);
      return result;
    }

    boolean kept() {
      return promised.stream().allMatch(CompletableFuture::isDone);
    }
  }

  @Test
  void noneIsTheServersFaultAndNoneLeavesATrace() throws Exception {
    RecordingGenerator promising = new RecordingGenerator();
    OpenAiClient honest = client(promising, null, 2);
    JsonObject expected = answer(honest);
    long descriptors = descriptors();
    int threads = Thread.activeCount();
    RequestMutations mutations = new RequestMutations(new Random(22));
    TreeMap<String, Integer> statuses = new TreeMap<>();
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < REQUESTS; i++) {
        byte[] request = mutations.next();
        Matcher status = STATUS.matcher(said(request));
        while (status.find()) {
          statuses.merge(status.group(1), 1, Integer::sum);
          assertTrue(
              status.group(1).compareTo("500") < 0,
              () -> status.group() + new String(request, StandardCharsets.ISO_8859_1));
        }
      }
      assertEquals(expected, answer(honest));
    }
    assertTrue(
        statuses.getOrDefault("200", 0) > 100 && statuses.getOrDefault("400", 0) > 500,
        statuses::toString);
    await()
        .until(
            () ->
                promising.kept()
                    && descriptors() <= descriptors + SLACK
                    && Thread.activeCount() <= threads + SLACK);
  }

  private static JsonObject answer(OpenAiClient honest) {
    JsonObject answer = honest.ask(CHAT, body(",\"seed\":1"));
    answer.remove("id");
    answer.remove("created");
    return answer;
  }

  private String said(byte[] request) throws IOException {
    try (RawHttpClient client = new RawHttpClient(serving().address().getPort())) {
      return client.write(request).end().rest();
    } catch (SocketException e) {
      return ""; // closed before all was written
    }
  }

  private static long descriptors() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getOpenFileDescriptorCount()
        : 0;
  }
}
