package roll.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;
import roll.testkit.Utf8Tokenizer;

/** Answers of the server for a scripted model. */
class HttpServingTest extends ServerTestBase {
  /** A chat completion has every field of OpenAI's documentation. */
  @Test
  void aChatCompletion() {
    JsonObject answer = client().ask(CHAT, body(""));
    assertTrue(answer.get("id").getAsString().matches("chatcmpl-[0-9a-f]{32}"));
    assertTrue(answer.get("created").getAsLong() > 1_700_000_000);
    answer.remove("id");
    answer.remove("created");
    assertEquals(
        json(
            """
            {"object":"chat.completion","model":"tiny",
             "choices":[{"index":0,
               "message":{"role":"assistant","content":"Hello","refusal":null},
               "logprobs":null,"finish_reason":"stop"}],
             "usage":{"prompt_tokens":%d,"completion_tokens":6,"total_tokens":%d}}
            """
                .formatted(prompt().length(), prompt().length() + 6)),
        answer);
    GenerationRequest asked = model.asked.getFirst();
    assertEquals("[{role=user, content=hi}]|null>", prompt());
    assertEquals(List.of(Utf8Tokenizer.END, 7), asked.stopTokens());
    assertEquals(Sampling.of(400 - prompt().length()), asked.sampling());
  }

  @Test
  void everyParameterIsHeard() {
    client()
        .ask(
            CHAT,
            body(
                """
                ,"temperature":0.5,"top_p":0.9,"top_k":5,"min_p":0.1,"max_tokens":9,"stop":["a","b"],
                "n":1,"seed":-7,"repetition_penalty":1.2,"presence_penalty":0,"frequency_penalty":0.0,
                "logit_bias":{"5":-100},"allowed_token_ids":[5,7],"stream":false,"user":"me","response_format":{"type":"text"},
                "store":false,"tool_choice":"auto","parallel_tool_calls":true,"top_logprobs":null,
                "chat_template_kwargs":{"tools":7}\
                """));
    assertEquals(
        new Sampling(0.5, 5, 0.9, 0.1, 1.2, 9, 0, List.of("a", "b"), List.of())
            .withLogitBias(Map.of(5, -100.0))
            .withAllowedTokenIds(List.of(5, 7)),
        model.asked.getFirst().sampling());
    assertEquals(-7, model.asked.getFirst().seed());
    client().ask(CHAT, body(",\"max_completion_tokens\":3,\"top_k\":-1,\"stop\":\"c\""));
    assertEquals(Sampling.of(3).withStopStrings(List.of("c")), model.asked.getLast().sampling());
  }

  @Test
  void aConversationIsGivenAsTemplatesTakeIt() {
    client()
        .ask(
            CHAT,
            """
            {"model":"tiny","messages":[
              {"role":"developer","content":"S"},
              {"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]},
              {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function",
                "function":{"name":"weather","arguments":"{\\"city\\":\\"Bern\\",\\"days\\":2}"}}]},
              {"role":"tool","tool_call_id":"c1","content":"sun"}]}
            """);
    assertEquals(
        "[{role=system, content=S}, {role=user, content=a\nb}, {role=assistant,"
            + " tool_calls=[{id=c1, type=function, function={name=weather, arguments={city=Bern,"
            + " days=2}}}], content=}, {role=tool, tool_call_id=c1, name=weather,"
            + " content=sun}]|null>",
        prompt());
  }

  @Test
  void theTemplateSeesWhatRolloutsShowItUnlessTheRequestSaysOtherwise() {
    template = (where, context) -> context.get("enable_thinking") + ">";
    client().ask(CHAT, body(""));
    assertEquals("false>", prompt());
    client().ask(CHAT, body(",\"chat_template_kwargs\":{\"enable_thinking\":true}"));
    assertEquals("true>", prompt());
  }

  @Test
  void lengthEndsAnAnswerToo() {
    JsonObject choice = OpenAiClient.choice(client().ask(CHAT, body(",\"max_tokens\":3")));
    assertEquals("Hel", choice.getAsJsonObject("message").get("content").getAsString());
    assertEquals("length", choice.get("finish_reason").getAsString());
  }

  @Test
  void aStopStringIsNoPartOfTheText() {
    model.text = "one\n\ntwo";
    JsonObject choice = OpenAiClient.choice(client().ask(CHAT, body(",\"stop\":[\"\\n\\n\"]")));
    assertEquals("one", choice.getAsJsonObject("message").get("content").getAsString());
    assertEquals("stop", choice.get("finish_reason").getAsString());
    List<JsonObject> parts =
        client().stream(CHAT, body(",\"stop\":[\"\\n\\n\", \"none\"],\"stream\":true"));
    assertEquals("one", OpenAiClient.said(parts, 0));
  }

  @Test
  void logProbsOfTheTextAlone() {
    model.text = "aü.b";
    JsonObject choice =
        OpenAiClient.choice(client().ask(CHAT, body(",\"logprobs\":true,\"stop\":\".\"")));
    assertEquals(
        json(
            """
            {"content":[
              {"token":"a","logprob":0.0,"bytes":[97],"top_logprobs":[]},
              {"token":"\uFFFD","logprob":-0.25,"bytes":[239,191,189],"top_logprobs":[]},
              {"token":"\uFFFD","logprob":-0.5,"bytes":[239,191,189],"top_logprobs":[]}],
             "refusal":null}
            """),
        choice.get("logprobs"));
    choice =
        OpenAiClient.choice(
            client().ask(TEXT, "{\"model\":\"tiny\",\"prompt\":\"x\",\"logprobs\":0,\"n\":1}"));
    assertEquals(
        json(
            """
            {"tokens":["a","\uFFFD","\uFFFD",".","b"],"token_logprobs":[0.0,-0.25,-0.5,-0.75,-1.0],
             "top_logprobs":null,"text_offset":[0,1,1,2,3]}
            """),
        choice.get("logprobs"));
  }

  /** A stream has every field of OpenAI's chat completion chunk. */
  @Test
  void aStream() {
    model.text = "ü🐧";
    List<JsonObject> parts =
        client().stream(CHAT, body(",\"stream\":true,\"stream_options\":{\"include_usage\":true}"));
    assertEquals(1, parts.stream().map(part -> part.get("id")).distinct().count());
    for (JsonObject part : parts) {
      assertTrue(part.remove("id").getAsString().startsWith("chatcmpl-"));
      assertTrue(part.remove("created").getAsLong() > 0);
      assertEquals("chat.completion.chunk", part.remove("object").getAsString());
      assertEquals("tiny", part.remove("model").getAsString());
    }
    String choice =
        "{\"choices\":[{\"index\":0,\"delta\":%s,\"logprobs\":null,\"finish_reason\":%s}],"
            + "\"usage\":null}";
    int prompt = prompt().length();
    assertEquals(
        List.of(
            json(choice.formatted("{\"role\":\"assistant\",\"content\":\"\"}", "null")),
            json(choice.formatted("{\"content\":\"ü\"}", "null")),
            json(choice.formatted("{\"content\":\"🐧\"}", "null")),
            json(choice.formatted("{}", "\"stop\"")),
            json(
                "{\"choices\":[],\"usage\":{\"prompt_tokens\":%d,\"completion_tokens\":7,\"total_tokens\":%d}}"
                    .formatted(prompt, prompt + 7))),
        parts);
  }

  @Test
  void severalChoicesAreApart() {
    JsonObject answer = client().ask(CHAT, body(",\"n\":3,\"seed\":5"));
    assertEquals(3, answer.getAsJsonArray("choices").size());
    assertEquals(18, answer.getAsJsonObject("usage").get("completion_tokens").getAsInt());
    assertEquals(5, model.asked.getFirst().seed());
    assertEquals(3, model.asked.stream().map(GenerationRequest::seed).distinct().count());
    List<JsonObject> parts = client().stream(CHAT, body(",\"n\":2,\"stream\":true"));
    assertEquals("Hello", OpenAiClient.said(parts, 0));
    assertEquals("Hello", OpenAiClient.said(parts, 1));
  }

  @Test
  void aTextCompletion() {
    JsonObject answer =
        client().ask(TEXT, "{\"model\":\"tiny\",\"prompt\":[\"ab\",\"cde\"],\"n\":2}");
    assertTrue(answer.remove("id").getAsString().startsWith("cmpl-"));
    answer.remove("created");
    String choice =
        "{\"index\":%d,\"text\":\"Hello\",\"logprobs\":null,\"finish_reason\":\"stop\"}";
    assertEquals(
        json(
            "{\"object\":\"text_completion\",\"model\":\"tiny\",\"choices\":[%s,%s,%s,%s],"
                    .formatted(
                        choice.formatted(0),
                        choice.formatted(1),
                        choice.formatted(2),
                        choice.formatted(3))
                + "\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":24,\"total_tokens\":29}}"),
        answer);
    assertEquals(List.of(2, 2, 3, 3), model.asked.stream().map(r -> r.prompt().length).toList());
    assertEquals(16, model.asked.getFirst().sampling().maxNewTokens());
    client().ask(TEXT, "{\"model\":\"tiny\",\"prompt\":[1,2,3]}");
    assertEquals(3, model.asked.getLast().prompt()[2]);
    List<JsonObject> parts =
        client().stream(TEXT, "{\"model\":\"tiny\",\"prompt\":\"x\",\"stream\":true}");
    StringBuilder text = new StringBuilder();
    parts.forEach(part -> text.append(OpenAiClient.choice(part).get("text").getAsString()));
    assertEquals("Hello", text.toString());
  }

  @Test
  void theModelsThereAre() {
    JsonObject models = json(client().get("/v1/models").body());
    assertEquals("list", models.get("object").getAsString());
    JsonObject card = models.getAsJsonArray("data").get(0).getAsJsonObject();
    assertTrue(card.get("created").getAsLong() > 0);
    assertEquals(card, json(client().get("/v1/models/tiny").body()));
    card.remove("created");
    assertEquals(
        json("{\"id\":\"tiny\",\"object\":\"model\",\"owned_by\":\"roll\",\"max_model_len\":400}"),
        card);
    assertEquals(200, client().get("/health").statusCode());
  }
}
