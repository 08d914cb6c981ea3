package roll.sampling.grammar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.data.RandomStreams;
import roll.api.option.UserException;
import roll.api.strategy.StructuredOutput;

/** Texts of random schemas, drawn token by token, against {@link SchemaCheck}. */
class SchemaTest {
  private static JsonElement parsed(String text) throws IOException {
    JsonReader reader = new JsonReader(new StringReader(text));
    reader.setStrictness(Strictness.STRICT);
    JsonElement value = JsonParser.parseReader(reader);
    assertEquals(JsonToken.END_DOCUMENT, reader.peek(), text);
    return value;
  }

  @Test
  void textsParseAndValidate() throws IOException {
    int written = 0;
    for (int trial = 0; trial < 250; trial++) {
      RandomGenerator random = RandomStreams.of(4, "schemas", trial);
      JsonObject schema = RandomSchema.of(random);
      TokenTexts texts = Vocabularies.random(random, 300);
      Grammar grammar = Grammar.of(new StructuredOutput.Json(schema.toString()));
      TokenMasks masks = new TokenMasks(grammar, texts, List.of(Vocabularies.STOP));
      for (int i = 0; i < 4; i++) {
        @Nullable String text = Vocabularies.write(masks, texts, random, 3000);
        if (text != null) {
          assertEquals(
              "", SchemaCheck.problem(schema, schema, parsed(text)), text + " of " + schema);
          written++;
        }
      }
    }
    assertTrue(written > 900, "only " + written + " texts ended");
  }

  private static boolean accepts(String schema, String text) {
    Grammar grammar = Grammar.of(new StructuredOutput.Json(schema));
    int state =
        grammar.step(grammar.start(), text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    return state != Grammar.DEAD && grammar.accepts(state);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'type':'object','properties':{'a':{'type':'integer'},'b':{'type':'string'}},"
            + "'required':['b']} | {'a': 1, 'b': 'x'} | true",
        "{'type':'object','properties':{'a':{'type':'integer'},'b':{'type':'string'}},"
            + "'required':['b']} | {'b':'x'} | true",
        "{'type':'object','properties':{'a':{'type':'integer'},'b':{'type':'string'}},"
            + "'required':['b']} | {'a': 1} | false",
        "{'type':'object','properties':{'a':{},'b':{}}} | {} | true",
        "{'type':'object','properties':{'a':{},'b':{}}} | {'a':[{'b':[null]}],'b':-1.5e+3} | true",
        "{'type':'object'} | {'x':{'y':{'z':[1]}}} | true",
        "{'type':'object'} | {'x':{'y':{'z':[[1]]}}} | false",
        "{'type':'array','items':{'type':'boolean'},'minItems':1,'maxItems':2} | [] | false",
        "{'type':'array','items':{'type':'boolean'},'minItems':1,'maxItems':2} | [true, false] |"
            + " true",
        "{'type':'array','items':{'type':'boolean'},'minItems':1,'maxItems':2} | [true,true,true] |"
            + " false",
        "{'type':'string','maxLength':2} | '日😀' | true",
        "{'type':'string','maxLength':2} | 'abc' | false",
        "{'type':'string','pattern':'b'} | 'abc' | true",
        "{'type':'string','pattern':'^b'} | 'abc' | false",
        "{'enum':['x',3,null]} | null | true",
        "{'type':['integer','null']} | 007 | false",
        "{'anyOf':[{'$ref':'#/$defs/n'},{'const':[1, 2]}],'$defs':{'n':{'type':'number'}}} | [1,2]"
            + " | true",
      })
  void schemasAllowWhatTheySay(String schema, String text, boolean allowed) {
    assertEquals(allowed, accepts(schema.replace('\'', '"'), text.replace('\'', '"')));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'type':'integer','minimum':3} | $: 'minimum' is not supported here, allowed are type",
        "{'type':'object','properties':{'a':{'oneOf':[]}}} | $.a: 'oneOf' is not supported here,"
            + " allowed are additionalProperties, items, maxItems, maxLength, minItems, minLength,"
            + " pattern, properties, required, type",
        "{'type':'object','additionalProperties':true} | $: additionalProperties: allowed is false",
        "{'type':'tree'} | $: type: allowed are object, array, string, integer, number, boolean,"
            + " null, found \"tree\"",
        "{'$ref':'#/$defs/a','$defs':{'a':{'type':'array','items':{'$ref':'#/$defs/a'}}}} |"
            + " #/$defs/a.items: $ref: #/$defs/a contains itself; recursion is not supported",
        "{'$ref':'http://x'} | $: $ref: allowed are #/$defs/… and #/definitions/…, found http://x",
        "{'required':['a']} | $: required: \"a\" is not in properties",
        "{'type':'array','minItems':3,'maxItems':2} | $: minItems: is above the maximum 2",
        "{'type':'string','pattern':'('} | $.pattern: at character 2: expected ')'",
        "{'type':'string','maxLength':9000} | needs too large an automaton, allowed are 40,000"
            + " states; shorten its repetitions",
        "[1] | $: expected a schema, an object or true",
        "{'type': | the schema is no JSON",
        "{'type':'string','enum':[1]} | $: enum, const and type allow no value",
        "{'type':'string','pattern':'^a$','minLength':2} | allows no text",
      })
  void whatIsOutsideTheSubsetIsNamed(String schema, String problem) {
    UserException refusal =
        assertThrows(
            UserException.class,
            () -> Grammar.of(new StructuredOutput.Json(schema.replace('\'', '"'))));
    assertEquals("structured_outputs.json: " + problem, refusal.getMessage());
  }

  @Test
  void deepSchemasAreRefused() {
    String deep = "{\"items\":".repeat(5000) + "{}" + "}".repeat(5000);
    assertThrows(UserException.class, () -> Grammar.of(new StructuredOutput.Json(deep)));
    String wide = "{\"items\":".repeat(40) + "true" + "}".repeat(40);
    assertThrows(UserException.class, () -> Grammar.of(new StructuredOutput.Json(wide)));
  }
}
