package roll.rollout.program;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.data.Sequence;
import roll.rollout.supervise.EnvironmentException;

/** Requests and their keys; served completions are those captured. */
@NullMarked
@Timeout(120)
class EndpointTest {
  private static final String ASK = "{\"messages\":[{\"role\":\"user\",\"content\":\"1\"}]}";

  /** The content of a part of a stream says. */
  private static final Pattern PIECE = Pattern.compile("\"content\":\"([^\"]*)\"");

  @Test
  void aKeyIsGoodForItsEpisode() throws Exception {
    try (EndpointKit kit = new EndpointKit()) {
      assertEquals(401, kit.ask("", ASK).statusCode());
      assertEquals(401, kit.ask("roll-no", ASK).statusCode());
      kit.playing(
          () -> {
            assertEquals(200, kit.ask(kit.key(), ASK).statusCode());
            assertEquals(400, kit.ask(kit.key(), "{}").statusCode());
            return true;
          });
      kit.end();
      assertEquals(410, kit.ask(kit.key(), ASK).statusCode());
    }
  }

  private static final String MESSAGE =
      "{\"max_tokens\":9,\"messages\":[{\"role\":\"user\",\"content\":\"1\"}]}";

  @Test
  void anthropicsClientsSendTheKeyInTheirHeader() throws Exception {
    try (EndpointKit kit = new EndpointKit()) {
      HttpResponse<String> unknown = kit.ask("/messages", "roll-no", MESSAGE);
      assertEquals(401, unknown.statusCode());
      assertTrue(unknown.body().contains("\"type\":\"authentication_error\""), unknown.body());
      kit.playing(
          () -> {
            HttpResponse<String> answer = kit.ask("/messages", kit.key(), MESSAGE);
            assertEquals(200, answer.statusCode(), answer.body());
            assertTrue(answer.body().contains("\"text\":\"hi\""), answer.body());
            String count = kit.ask("/messages/count_tokens", kit.key(), MESSAGE).body();
            assertTrue(count.startsWith("{\"input_tokens\":"), count);
            return true;
          });
      assertEquals(1, kit.session().history().completions().size());
      kit.end();
      assertEquals(410, kit.ask("/messages", kit.key(), MESSAGE).statusCode());
    }
  }

  /** The id of a response continues it in its own episode only. */
  @Test
  void anIdIsGoodForItsEpisode() throws Exception {
    try (EndpointKit kit = new EndpointKit();
        EndpointKit other = new EndpointKit()) {
      String bearer = "Bearer " + kit.key();
      String id =
          kit.playing(
              () ->
                  JsonParser.parseString(kit.ask("/responses", bearer, "{\"input\":\"1\"}").body())
                      .getAsJsonObject()
                      .get("id")
                      .getAsString());
      String next = "{\"input\":\"2\",\"previous_response_id\":\"" + id + "\"}";
      HttpResponse<String> refused =
          other.playing(() -> other.ask("/responses", "Bearer " + other.key(), next));
      assertEquals(400, refused.statusCode());
      assertTrue(refused.body().contains("previous_response_not_found"), refused.body());
      for (String method : List.of("GET", "DELETE")) {
        assertEquals(
            404, other.send(method, "/responses/" + id, "Bearer " + other.key()).statusCode());
        assertEquals(401, kit.send(method, "/responses/" + id, "Bearer no").statusCode());
      }
      assertTrue(kit.send("GET", "/responses/" + id, bearer).body().contains("\"text\":\"hi\""));
      assertEquals(200, kit.playing(() -> kit.ask("/responses", bearer, next)).statusCode());
      Sequence sample =
          BranchSamples.of(BranchSamples.ends(kit.session().history().completions())).getFirst();
      assertEquals(List.of("0:hi<|im_end|>", "1:hi<|im_end|>"), ChatKit.trained(sample));
    }
  }

  /** Like a check, that has seen enough, and a rollout with what it does not need: no failure. */
  @Test
  void anEpisodeThatIsCalledOffIsOverForItsProgram() throws Exception {
    try (EndpointKit kit = new EndpointKit()) {
      kit.callOff();
      CompletableFuture<HttpResponse<String>> asked =
          CompletableFuture.supplyAsync(() -> kit.ask(kit.key(), ASK), kit);
      assertThrows(CancellationException.class, () -> kit.playing(asked::get));
      HttpResponse<String> answer = asked.get();
      assertEquals(410, answer.statusCode(), answer.body());
      assertTrue(answer.body().contains("episode_over"), answer.body());
    }
  }

  @Test
  void whatWasSentIsWhatTheSampleDecodesTo() throws Exception {
    try (EndpointKit kit = new EndpointKit()) {
      String said = kit.playing(() -> EndpointKit.said(kit.ask(kit.key(), ASK).body()));
      String streamed =
          kit.playing(() -> kit.ask(kit.key(), ASK.replace("}]}", "}],\"stream\":true}")).body());
      String pieces =
          PIECE.matcher(streamed).results().map(piece -> piece.group(1)).collect(joining());
      assertEquals(said, pieces, streamed);
      List<CapturedCompletion> answers = kit.session().history().completions();
      assertEquals(said, answers.getFirst().text());
      assertEquals(said, answers.getFirst().message().get("content"));
      Sequence sample = BranchSamples.of(BranchSamples.ends(answers)).getLast();
      assertEquals(List.of("1:" + said + "<|im_end|>"), ChatKit.trained(sample));
    }
  }

  @Test
  void severalQuestionsAtOnceAreAllAnsweredOnTheEpisodesThread() throws Exception {
    try (EndpointKit kit = new EndpointKit()) {
      List<Integer> statuses =
          kit.playing(
              () ->
                  IntStream.range(0, 4)
                      .mapToObj(
                          i -> CompletableFuture.supplyAsync(() -> kit.ask(kit.key(), ASK), kit))
                      .toList()
                      .stream()
                      .map(answer -> answer.join().statusCode())
                      .toList());
      assertEquals(List.of(200, 200, 200, 200), statuses);
      assertEquals(1, kit.mostAtOnce());
      assertEquals(4, kit.session().history().completions().size());
    }
  }

  @Test
  void choicesAreAnswersToOneQuestion() throws Exception {
    try (EndpointKit kit = new EndpointKit()) {
      kit.playing(() -> kit.ask(kit.key(), ASK.replace("}]}", "}],\"n\":3}")));
      assertEquals(3, BranchSamples.ends(kit.session().history().completions()).size());
    }
  }

  @Test
  void whatWouldEndAnAnswerOtherwiseThanTheRunIsRefused() throws Exception {
    try (EndpointKit kit = new EndpointKit()) {
      HttpResponse<String> response =
          kit.playing(
              () -> kit.ask(kit.key(), ASK.replaceFirst("\\{", "{\"stop_token_ids\":[1],")));
      assertEquals(400, response.statusCode());
      assertTrue(response.body().contains("\"param\":\"stop_token_ids\""), response.body());
      assertEquals(List.of(), kit.session().history().completions());
    }
  }

  @Test
  void aResponseEndsBehindTheOnlyCallThatIsWanted() throws Exception {
    try (EndpointKit kit = new EndpointKit()) {
      String one = ASK.replaceFirst("\\{", "{\"parallel_tool_calls\":false,");
      assertEquals(200, kit.playing(() -> kit.ask(kit.key(), one)).statusCode());
      assertEquals(List.of("</tool_call>"), kit.sampling().stopStrings());
    }
  }

  @Test
  void whoIsOutOfTokensOrStepsIsToldWhy() throws Exception {
    try (EndpointKit kit = new EndpointKit()) {
      String lengthy = ASK.replace("\"1\"", "\"" + "x".repeat(EndpointKit.LENGTH) + "\"");
      String full = kit.playing(() -> kit.ask(kit.key(), lengthy).body());
      assertTrue(full.contains("\"stop_reason\":\"max_length\""), full);
      assertTrue(kit.session().full());
      String late =
          kit.playing(
              () ->
                  IntStream.range(0, EndpointKit.STEPS)
                      .mapToObj(i -> kit.ask(kit.key(), ASK).body())
                      .toList()
                      .getLast());
      assertTrue(late.contains("\"stop_reason\":\"max_steps\""), late);
      assertEquals(EndpointKit.STEPS - 2, kit.session().history().completions().size());
    }
  }

  @Test
  void whoTakesTooLongIsGivenUp() {
    try (EndpointKit kit = new EndpointKit()) {
      EnvironmentException late =
          assertThrows(
              EnvironmentException.class, () -> kit.session().serve(new HangingRun(), 0.2));
      assertEquals("the program took longer than 0.2 s", late.getMessage());
      assertTrue(late.timeout());
    }
  }

  @Test
  void itListensOnLoopbackAlone() throws Exception {
    try (EndpointKit kit = new EndpointKit()) {
      assertTrue(kit.url().startsWith("http://127.0.0.1:"), kit.url());
      List<InetAddress> others =
          NetworkInterface.networkInterfaces()
              .flatMap(NetworkInterface::inetAddresses)
              .filter(address -> !address.isLoopbackAddress())
              .toList();
      for (InetAddress other : others) {
        assertThrows(IOException.class, () -> new Socket(other, kit.port()).close());
      }
    }
  }

  @Test
  void theRunDecidesHowTokensAreDrawn() throws Exception {
    try (EndpointKit kit = new EndpointKit()) {
      kit.playing(
          () ->
              kit.ask(
                  kit.key(),
                  ASK.replace(
                      "}]}", "}],\"temperature\":0,\"top_p\":0.5,\"max_tokens\":1,\"seed\":3}")));
      assertEquals(1.0, kit.sampling().temperature());
      assertEquals(1.0, kit.sampling().topP());
      assertEquals(1, kit.sampling().maxNewTokens());
      assertFalse(kit.session().full());
      assertArrayEquals(new int[] {0}, kit.turns());
    }
  }
}
