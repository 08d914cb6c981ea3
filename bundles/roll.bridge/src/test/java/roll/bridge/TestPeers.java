package roll.bridge;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Small programs in Python, of which each test says what it does. */
final class TestPeers {
  private static final Path PYTHON = Path.of("/usr/bin/python3");

  /** AnswerLines each request with its own fields, and its process id. */
  static final String ECHO =
      """
      import json, os, sys
      for line in sys.stdin:
          asked = json.loads(line)
          asked = asked if isinstance(asked, list) else [asked]
          print(json.dumps([{**one, 'pid': os.getpid(), 'together': len(asked)} for one in asked]), flush=True)
      """;

  private TestPeers() {}

  /** A program of {@code source} with {@code limits}. */
  static ProgramCommand place(String source, ProgramLimits limits) {
    assumeTrue(Files.isExecutable(PYTHON), "no /usr/bin/python3");
    return new ProgramCommand(
        "test.py", List.of(PYTHON.toString(), "-c", source), null, Map.of("GREETING", "x"), limits);
  }

  /**
   * One peer of {@code source} that may take four seconds for an answer and is started anew once.
   */
  static PeerSpec spec(String source) {
    return spec(place(source, ProgramLimits.NONE), 1);
  }

  /** The same that may take a minute for an answer. */
  static PeerSpec slow(String source) {
    return spec(place(source, ProgramLimits.NONE), 1, Duration.ofMinutes(1));
  }

  /** Returns a specification of peers at {@code place}. */
  static PeerSpec spec(PeerEndpoint place, int peers) {
    return spec(place, peers, Duration.ofSeconds(4));
  }

  private static PeerSpec spec(PeerEndpoint place, int peers, Duration patience) {
    return new PeerSpec(place, request("hello"), peers, Duration.ofMinutes(1), patience, 1);
  }

  /** A request with the op {@code op}. */
  static JsonObject request(String op) {
    JsonObject request = new JsonObject();
    request.addProperty("op", op);
    return request;
  }
}
