package roll.ui;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.ui.web.RawRequest;

/** A thousand randomly mutated requests: none is an internal error, none has an effect. */
@Tag("hostile")
@Timeout(300)
class MalformedRequestsTest extends PageKit {
  private static final int ROUNDS = 10;
  private static final int REQUESTS = 100;
  private static final int CUT = 10;
  private static final int SLACK = 8;
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3}) ");

  @Test
  void noneIsTheServersFaultAndNoneLeavesATrace() throws Exception {
    URI page = page(null, false, true).address();
    String expected = get(page, "/api/about").body();
    Random chance = new Random(28);
    MutatedRequests requests = new MutatedRequests(chance, runId(page), pageToken(page));
    TreeMap<String, Integer> statuses = new TreeMap<>();
    int threads = Thread.activeCount();
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < REQUESTS; i++) {
        byte[] request = requests.next();
        String said = RawRequest.answer(page.getPort(), request, chance.nextInt(CUT) == 0);
        Matcher status = STATUS.matcher(said);
        while (status.find()) {
          statuses.merge(status.group(1), 1, Integer::sum);
          assertTrue(
              status.group(1).compareTo("500") < 0,
              () -> said + "\n\nto\n" + new String(request, StandardCharsets.ISO_8859_1));
        }
        assertFalse(said.contains("\tat "), said);
        assertFalse(said.contains("Exception"), said);
      }
      assertEquals(expected, get(page, "/api/about").body());
    }
    assertTrue(
        statuses.getOrDefault("200", 0) > 20
            && statuses.getOrDefault("400", 0) > 50
            && statuses.getOrDefault("403", 0) > 30
            && statuses.getOrDefault("404", 0) > 20,
        statuses::toString);
    await().until(() -> Thread.activeCount() <= threads + SLACK);
  }
}
