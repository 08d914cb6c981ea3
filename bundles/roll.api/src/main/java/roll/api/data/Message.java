package roll.api.data;

/**
 * One message of a conversation.
 *
 * @param role {@code system}, {@code user} or {@code assistant}
 * @param content its text
 */
public record Message(String role, String content) {}
