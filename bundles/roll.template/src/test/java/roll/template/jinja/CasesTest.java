package roll.template.jinja;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.ToNumberPolicy;
import com.google.gson.reflect.TypeToken;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import roll.template.jinja.value.TemplateException;

/**
 * The language: {@code cases.jsonl} says of each template what Python's Jinja2 3.1.6 renders, in
 * the environment of transformers and at noon of 10 July 2025, or with which error it fails.
 */
class CasesTest {
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2025-07-10T12:00:00Z"), ZoneOffset.UTC);
  private static final Gson GSON =
      new GsonBuilder().setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE).create();

  @TestFactory
  Stream<DynamicTest> cases() throws IOException {
    List<JsonObject> cases;
    try (var lines =
        new BufferedReader(
            new InputStreamReader(
                CasesTest.class.getResourceAsStream("cases.jsonl"), StandardCharsets.UTF_8))) {
      cases = lines.lines().map(line -> GSON.fromJson(line, JsonObject.class)).toList();
    }
    assertTrue(cases.size() > 200);
    return cases.stream()
        .map(one -> DynamicTest.dynamicTest(one.get("name").getAsString(), () -> check(one)));
  }

  private static void check(JsonObject one) {
    String template = one.get("template").getAsString();
    Map<String, Object> context =
        GSON.fromJson(one.get("context"), new TypeToken<Map<String, Object>>() {});
    JsonElement expected = one.get("expected");
    if (expected != null) {
      assertEquals(
          expected.getAsString(), Template.parse(template).render(context, CLOCK), template);
    } else {
      TemplateException e =
          assertThrows(
              TemplateException.class,
              () -> Template.parse(template).render(context, CLOCK),
              template);
      assertTrue(e.line() >= 1, template);
    }
  }
}
