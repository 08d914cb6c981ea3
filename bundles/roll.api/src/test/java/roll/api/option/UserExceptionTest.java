package roll.api.option;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class UserExceptionTest {
  @Test
  void aMessageIsOneLineWhateverItQuotes() {
    String found = "a\nb\r\u001b[2J\u2028c\u0085 é\u202e\u2066";
    UserException mistake = new UserException("key '" + found + "'", new IllegalStateException());
    assertEquals(
        "key 'a\\u000ab\\u000d\\u001b[2J\\u2028c\\u0085 é\\u202e\\u2066'", mistake.getMessage());
    assertEquals("roll: " + mistake.getMessage(), mistake.toString());
  }
}
