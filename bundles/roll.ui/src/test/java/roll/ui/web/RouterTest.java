package roll.ui.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.http.HttpRefusal;

class RouterTest {
  private final Router patterns =
      new Router(
          Map.of(
              "GET /api/runs", _ -> new ApiAnswer.Json("all"),
              "GET /api/runs/{id}/series", _ -> new ApiAnswer.Json("series"),
              "POST /api/runs/{id}/stop", _ -> new ApiAnswer.Json("stopped")));

  @Test
  void variablesAreSegments() {
    assertEquals(List.of(), patterns.match("GET", "/api/runs").values());
    assertEquals(List.of("a1"), patterns.match("GET", "/api/runs/a1/series").values());
  }

  @Test
  void whatIsNotThereIsToldFromWhatIsAskedOtherwise() {
    assertEquals(404, status("GET", "/api/runs/"));
    assertEquals(404, status("GET", "/api/runs//series"));
    assertEquals(404, status("GET", "/api/runs/a/b/series"));
    assertEquals(405, status("GET", "/api/runs/a1/stop"));
    assertEquals(405, status("DELETE", "/api/runs"));
  }

  private int status(String method, String path) {
    return assertThrows(HttpRefusal.class, () -> patterns.match(method, path)).status();
  }
}
